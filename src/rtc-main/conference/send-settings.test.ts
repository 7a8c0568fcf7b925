/** What is forced stands in the node's answer, in the sections of its kind, once. */
import { describe, expect, it } from "vitest";
import { limitsOf, withForced } from "./send-settings.ts";
import { conference } from "./engine.harness.ts";
import { settle } from "../clock.fake.ts";

const ANSWER = [
  "v=0",
  "m=audio 9 UDP/TLS/RTP/SAVPF 111",
  "a=rtpmap:111 opus/48000/2",
  "a=fmtp:111 minptime=10;usedtx=1;useinbandfec=1",
  "m=video 9 UDP/TLS/RTP/SAVPF 96 97 102",
  "a=rtpmap:96 VP8/90000",
  "a=rtpmap:97 rtx/90000",
  "a=fmtp:97 apt=96",
  "a=rtpmap:102 H264/90000",
  "a=fmtp:102 profile-level-id=42e01f;packetization-mode=1",
  "",
].join("\r\n");
const none = { maxVideoBitrate: null, maxAudioBitrate: null };
const linesWith = (sdp: string): string[] =>
  sdp.split("\r\n").filter((line) => line.startsWith("a=fmtp"));

describe("the answer", () => {
  it("stays as it is without anything forced", () => {
    expect(withForced(ANSWER, none)).toBe(ANSWER);
    expect(withForced(ANSWER, { ...none, maxVideoBitrate: 400_000 })).toBe(ANSWER);
  });

  it("gets a forced bitrate for each codec of the picture, and none for retransmissions", () => {
    const forced = { video: 600_000 };
    const google = "x-google-min-bitrate=780;x-google-start-bitrate=780";
    const once = withForced(ANSWER, { ...none, forced });
    expect(linesWith(once)).toEqual([
      "a=fmtp:111 minptime=10;usedtx=1;useinbandfec=1",
      `a=fmtp:96 ${google}`,
      "a=fmtp:97 apt=96",
      `a=fmtp:102 profile-level-id=42e01f;packetization-mode=1;${google}`,
    ]);
    expect(withForced(once, { ...none, forced })).toBe(once);
  });

  it("gets a least bitrate, a forced one of the sound, and DTX on or off", () => {
    const forced = { minVideo: 300_000, audio: 24_000, dtx: false };
    expect(linesWith(withForced(ANSWER, { ...none, forced })).slice(0, 2)).toEqual([
      "a=fmtp:111 minptime=10;useinbandfec=1;maxaveragebitrate=24000;cbr=1;usedtx=0",
      "a=fmtp:96 x-google-min-bitrate=390;x-google-start-bitrate=390",
    ]);
  });
});

it("A forced bitrate is also the most that is sent", () => {
  const max = { maxVideoBitrate: 400_000, maxAudioBitrate: 32_000 };
  expect(limitsOf(max)).toEqual({ video: 400_000, audio: 32_000 });
  expect(limitsOf({ ...max, forced: { video: 800_000, audio: 64_000 } })).toEqual({
    video: 800_000,
    audio: 64_000,
  });
  expect(limitsOf(none)).toEqual({ video: null, audio: null });
});

it("A publication has the limits in its encodings, one picture without simulcast, and the answer with what is forced", async () => {
  const { publish, sendCommand } = await conference();
  const pc = await publish("r1", {
    simulcast: false,
    maxVideoBitrate: 400_000,
    maxAudioBitrate: 32_000,
    forced: { minVideo: 200_000 },
  });
  expect(pc.getTransceivers().map(({ encodings }) => encodings)).toEqual([
    [{ maxBitrate: 32_000 }],
    [{ maxBitrate: 400_000 }],
  ]);
  sendCommand({ t: "answer", rtcId: "r1", sdp: ANSWER });
  await settle();
  expect(pc.remoteDescription?.sdp).toContain("a=fmtp:96 x-google-min-bitrate=260");
});
