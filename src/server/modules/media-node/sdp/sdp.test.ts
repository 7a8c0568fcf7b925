import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../../shared/errors.ts";
import { browserOffer, SSRC } from "../sfu/sfu.harness.ts";
import { parseSdp, readCandidate } from "./parse.ts";
import { NO_CODEC, planPublish } from "./plan.ts";
import { publisherSection, writeSdp } from "./write.ts";

const refused = (offer: string, vcodes: readonly ("VP8" | "H264")[] = ["VP8"]): unknown => {
  try {
    planPublish(offer, vcodes);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe("conference.invalid");
    return (error as AppError).details?.["reason"];
  }
  throw new Error("it was taken");
};

describe("a publisher's offer", () => {
  it("is planned with the first preferred codec that all its videos have", () => {
    const plan = planPublish(browserOffer({ videos: 2 }), ["VP8", "H264"]);
    expect(plan.vcodec).toBe("VP8");
    expect(plan.audio).toMatchObject({ payloadType: 111, ssrc: SSRC.audio, transportCc: 3 });
    expect(plan.high).toMatchObject({ payloadType: 96, ssrc: SSRC.high, mid: "1", absSendTime: 2 });
    expect(plan.low).toMatchObject({ payloadType: 96, ssrc: SSRC.low, mid: "2" });
  });

  it("is accepted with H264 only in packetization mode 1 and constrained baseline", () => {
    expect(planPublish(browserOffer({}), ["H264"]).high).toMatchObject({
      payloadType: 103,
      codec: "H264",
      fmtp: expect.stringContaining("packetization-mode=1") as string,
    });
    expect(refused(browserOffer({}).replaceAll("42e0", "4d00"), ["H264"])).toBe(NO_CODEC);
    expect(refused(browserOffer({}), [])).toBe(NO_CODEC);
  });

  it("may have an unused video section", () => {
    const plan = planPublish(
      browserOffer({}).replace(/a=sendonly(?![\s\S]*a=sendonly)/, "a=inactive"),
      ["VP8"],
    );
    expect(plan).toMatchObject({ high: null, vcodec: null });
    expect(plan.sections).toHaveLength(2);
  });

  describe("of Firefox, whose bundled sections have port 0", () => {
    // Recorded from Firefox ESR 153: a microphone, a camera, and the camera again in a small size.
    const offer = readFileSync(join(import.meta.dirname, "fixtures/firefox-esr-offer.sdp"), "utf8");

    it("is planned with sound and both layers of the picture", () => {
      const plan = planPublish(offer, ["VP8", "H264"]);
      expect(plan.vcodec).toBe("VP8");
      expect(plan.audio).toMatchObject({ mid: "0", payloadType: 109, ssrc: 4_207_415_712 });
      expect(plan.high).toMatchObject({
        mid: "1",
        payloadType: 120,
        ssrc: 3_810_206_584,
        transportCc: 7,
        absSendTime: 4,
      });
      expect(plan.low).toMatchObject({ mid: "2", payloadType: 120, ssrc: 1_214_675_432 });
      const written = writeSdp(
        { ...plan.ice, candidates: [] },
        plan.sections.map((section) => publisherSection("offer", section)),
      );
      expect(written.match(/^m=\w+ \d+/gm)).toEqual(["m=audio 9", "m=video 9", "m=video 9"]);
    });

    it("has a refused section where port 0 is outside the bundle or lacks the bundle-only mark", () => {
      const outside = offer.replace("a=group:BUNDLE 0 1 2", "a=group:BUNDLE 0 1");
      expect(planPublish(outside, ["VP8"])).toMatchObject({ high: { mid: "1" }, low: null });
      const unmarked = offer.replaceAll("a=bundle-only\r\n", "");
      expect(planPublish(unmarked, ["VP8"])).toMatchObject({ high: null, vcodec: null });
    });

    it("has no H264 without Firefox's plug-in", () => {
      expect(refused(offer, ["H264"])).toBe(NO_CODEC);
    });
  });

  it("is refused with the reason", () => {
    const offer = browserOffer({ videos: 2 });
    const cases: readonly (readonly [string, string])[] = [
      ["", "this is no session description"],
      ["x".repeat(200_000), "the description is too large"],
      [`v=0\r\n${"a=x\r\n".repeat(5000)}`, "the description has too many lines"],
      [browserOffer({ audio: false, videos: 0 }), "ICE or DTLS parameters are missing"],
      [
        offer.replaceAll("a=ice-pwd:xxxx", "a=ice-pwd:\u0000"),
        "ICE or DTLS parameters are missing",
      ],
      [offer.replaceAll("sha-256", "sha-257"), "ICE or DTLS parameters are missing"],
      [offer.replace("a=ice-ufrag:abcd", "a=ice-ufrag:efgh"), "the sections are not bundled"],
      [offer.replace("a=mid:2", "a=mid:1"), "a mid is there twice"],
      [offer.replace("a=mid:2", "a=mid:<script>"), "a section has no usable mid"],
      [browserOffer({ videos: 3 }), "at most one section of sound and two of video"],
      [offer.replace("m=audio", "m=application"), "only sound and pictures"],
      [offer.replaceAll(/a=ssrc:22 .*\r\n/g, ""), "a section that sends names no SSRC"],
      [offer.replaceAll(`a=ssrc:${SSRC.low} `, `a=ssrc:${SSRC.high} `), "an SSRC is there twice"],
      [offer.replace("opus/48000", "speex/48000"), "opus is not offered"],
      [offer.replaceAll("a=sendonly", "a=recvonly"), "nothing is sent"],
    ];
    for (const [text, reason] of cases) expect(refused(text), reason).toBe(reason);
  });

  it("reaches the library only as SDP that the node wrote", () => {
    const hostile = browserOffer({
      extra: ["a=candidate:1 1 udp 1 evil.example 1 typ host", "a=evil:1"],
    });
    const plan = planPublish(hostile, ["VP8"]);
    const text = writeSdp(
      { ...plan.ice, candidates: plan.candidates },
      plan.sections.map((s) => publisherSection("offer", s)),
    );
    expect(text).not.toMatch(/evil|rtx|AV1|orientation|PCMU/);
    const again = planPublish(text, ["VP8"]);
    expect(again.sections).toEqual(plan.sections);
  });

  it("is answered with a bitrate limit for the high layer only", () => {
    const plan = planPublish(browserOffer({ videos: 2 }), ["VP8"]);
    const [, high, low] = plan.sections;
    if (high === undefined || low === undefined) throw new Error("no sections");
    const transport = { ...plan.ice, candidates: [] };
    expect(writeSdp(transport, [publisherSection("answer", high, 900_500)])).toMatch(
      /b=AS:901\r\nb=TIAS:900500\r\n[\s\S]*a=recvonly[\s\S]*a=rtcp-fb:96 transport-cc/,
    );
    expect(writeSdp(transport, [publisherSection("answer", low)])).not.toContain("b=");
  });

  it("causes no error but conference.invalid, whatever the text is", () => {
    const base = browserOffer({ videos: 2 });
    let state = 3;
    const next = (): number => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff;
    for (let i = 0; i < 3000; i += 1) {
      const text = [...base];
      for (let n = 0; n < 1 + next() * 20; n += 1) {
        const at = Math.floor(next() * text.length);
        if (next() < 0.5) text[at] = String.fromCharCode(next() * 256);
        else text.splice(at, Math.floor(next() * 40));
      }
      const mutated = text.join("");
      parseSdp(mutated);
      try {
        planPublish(mutated, ["VP8", "H264"]);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  });
});

describe("candidates", () => {
  it("are accepted only with literal addresses over UDP", () => {
    const good =
      "candidate:842163049 1 udp 1677729535 203.0.113.1 46154 typ srflx raddr 10.0.0.1 rport 46154 generation 0 ufrag abcd network-cost 999";
    expect(readCandidate(good)).toBe(good);
    expect(readCandidate(`a=${good}\r\n`)).toBe(good);
    expect(readCandidate("candidate:1 1 udp 1 fd00::2 9 typ host")).not.toBeNull();
    expect(readCandidate("candidate:1 1 udp 1 abc.local 9 typ host")).toBeNull();
    expect(readCandidate("candidate:1 1 tcp 1 203.0.113.1 9 typ host tcptype active")).toBeNull();
    expect(readCandidate(`${good}\r\na=evil`)).toBeNull();
    expect(readCandidate("")).toBeNull();
  });
});
