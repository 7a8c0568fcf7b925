import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../../shared/errors.ts";
import { browserOffer, SSRC } from "../sfu/sfu.harness.ts";
import { parseSdp } from "./parse.ts";
import { NO_CODEC, planPublish, samePublish } from "./plan.ts";
import { planSubscribe, sameSubscribe } from "./subscribe-plan.ts";
import { answeredSection, offeredSection, writeSdp } from "./write.ts";

/**
 * Recorded from Chromium 156 and Firefox ESR 153. The files named emedia are offers of Chromium made by the calls that easemob-emedia
 * 3.4.1 makes: createOffer with offerToReceiveAudio and offerToReceiveVideo, on a camera with sound and on a screen without sound.
 */
const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
const chromium = fixture("chromium-subscribe.sdp");
const firefox = fixture("firefox-esr-subscribe.sdp");
const camera = fixture("emedia-publish.sdp");
const screen = fixture("emedia-screen.sdp");

const source = planPublish(browserOffer({ videos: 2 }), ["VP8"]);
const answerOf = (offer: string, publishPlan = source): string => {
  const plan = planSubscribe(offer, publishPlan);
  const sections = plan.sections.map((section) =>
    answeredSection(section, ({ kind }) => ({
      ssrc: kind === "video" ? SSRC.high : SSRC.audio,
      rtxSsrc: 44,
      stream: "s",
    })),
  );
  return writeSdp({ ...plan.ice, candidates: [] }, sections);
};
const refused = (offer: string, publishPlan = source): unknown => {
  try {
    planSubscribe(offer, publishPlan);
  } catch (error) {
    return (error as AppError).details?.["reason"];
  }
  throw new Error("it was taken");
};

describe("an offer of easemob-emedia", () => {
  it("to publish a camera is planned, although it could also receive", () => {
    const plan = planPublish(camera, ["VP8", "H264"]);
    expect(plan.audio).toMatchObject({ mid: "0", payloadType: 111 });
    expect(plan.high).toMatchObject({ mid: "1", payloadType: 96, absSendTime: 2 });
    expect(plan.low).toBeNull();
  });

  it("to publish a screen has its video first and receives sound that the node does not send", () => {
    const plan = planPublish(screen, ["VP8"]);
    expect(plan.sections.map(({ kind, track }) => [kind, track !== null])).toEqual([
      ["video", true],
      ["audio", false],
    ]);
    expect(plan.high).toMatchObject({ mid: "0", transportCc: 4 });
    expect(plan.audio).toBeNull();
  });
});

describe("a subscriber's offer", () => {
  it("is answered with its own payload types, extension ids and retransmission format", () => {
    expect(planSubscribe(firefox, source)).toMatchObject({
      audio: { mid: "0", payloadType: 109, rtx: null, absSendTime: 0 },
      video: { mid: "1", payloadType: 120, rtx: 124, absSendTime: 4 },
    });
    expect(planSubscribe(chromium, source)).toMatchObject({
      audio: { mid: "0", payloadType: 111 },
      video: { mid: "1", payloadType: 96, rtx: 97, absSendTime: 2 },
    });
    const answer = answerOf(firefox);
    expect(answer).toContain("m=video 9 UDP/TLS/RTP/SAVPF 120 124\r\n");
    expect(answer).toContain("a=rtpmap:124 rtx/90000\r\na=fmtp:124 apt=120\r\n");
    expect(answer).toContain(`a=ssrc-group:FID ${SSRC.high} 44\r\n`);
    expect(answer).toContain(
      "a=extmap:4 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time",
    );
    expect(answer).toContain("a=rtcp-fb:120 goog-remb");
    // Not offered by Firefox, so it may not be in the answer; nor may what the node does not support.
    expect(answer).not.toMatch(/rrtr|transport-cc/);
  });

  it("is answered in its order, with the H264 that the publisher sends", () => {
    const h264 = planPublish(browserOffer({}), ["H264"]);
    const videoFirst = chromium.replace(
      /(m=audio[\s\S]*?)(m=video[\s\S]*)$/,
      (_, audio: string, video: string) => `${video}${audio}`,
    );
    const answer = answerOf(videoFirst, h264);
    expect(answer.match(/^m=\w+/gm)).toEqual(["m=video", "m=audio"]);
    const [video] = (parseSdp(answer) as Exclude<ReturnType<typeof parseSdp>, string>).sections;
    expect(video?.maps[0]?.fmtp).toMatch(/packetization-mode=1;profile-level-id=42e01f/);
  });

  it("keeps a section inactive that the stream has nothing for, or that the subscriber does not want", () => {
    const sound = planPublish(browserOffer({ videos: 0 }), []);
    expect(answerOf(chromium, sound).match(/^a=(?:sendonly|inactive)/gm)).toEqual([
      "a=sendonly",
      "a=inactive",
    ]);
    const unwanted = chromium.replace(/a=recvonly(?![\s\S]*a=recvonly)/, "a=sendonly");
    const plan = planSubscribe(unwanted, source);
    expect(plan.video).toBeNull();
    expect(plan.audio).not.toBeNull();
  });

  it("reaches the library with one format a section and nothing else of its text", () => {
    const plan = planSubscribe(chromium.replaceAll("a=mid:1", "a=evil:1\r\na=mid:1"), source);
    const text = writeSdp({ ...plan.ice, candidates: [] }, plan.sections.map(offeredSection));
    expect(text).not.toMatch(/evil|rtx|AV1|extmap/);
    expect(text.match(/^a=recvonly/gm)).toHaveLength(2);
  });

  it("is refused with the reason", () => {
    const none = chromium.replaceAll("a=recvonly", "a=inactive");
    expect(refused(none)).toBe("nothing of the stream can be received");
    expect(refused(chromium.replaceAll("VP8/90000", "VPX/90000"))).toBe(NO_CODEC);
    expect(refused(chromium.replace("opus/48000", "speex/48000"))).toBe("opus is not offered");
    expect(refused(chromium.replace("m=audio", "m=application"))).toBe("only sound and pictures");
    expect(refused("v=1")).toBe("this is no session description");
  });

  it("that restarts ICE carries the same streams; one of another connection does not", () => {
    const again = chromium.replaceAll(/a=ice-ufrag:.*\r\n/g, "a=ice-ufrag:other\r\n");
    expect(sameSubscribe(planSubscribe(again, source), planSubscribe(chromium, source))).toBe(true);
    expect(sameSubscribe(planSubscribe(firefox, source), planSubscribe(chromium, source))).toBe(
      false,
    );
    const other = planPublish(browserOffer({ videos: 2 }).replaceAll("a=ssrc:22 ", "a=ssrc:23 "), [
      "VP8",
    ]);
    expect(samePublish(source, other)).toBe(false);
  });

  it("causes no error but conference.invalid, whatever the text is", () => {
    let state = 5;
    const next = (): number => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff;
    for (let i = 0; i < 1000; i += 1) {
      const text = [...chromium];
      for (let n = 0; n < 1 + next() * 20; n += 1) {
        const at = Math.floor(next() * text.length);
        if (next() < 0.5) text[at] = String.fromCharCode(next() * 256);
        else text.splice(at, Math.floor(next() * 40));
      }
      try {
        planSubscribe(text.join(""), source);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  });
});
