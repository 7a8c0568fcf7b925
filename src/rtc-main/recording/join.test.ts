import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Output,
  WebMOutputFormat,
} from "mediabunny";
import { expect, it } from "vitest";
import { joinSegments, type Recorded } from "./join.ts";
import { OPUS_SILENCE } from "./timeline.ts";

/** A segment of this many seconds: 25 pictures and 50 packets of sound a second. */
async function segment(at: number, run: number, seconds: number, sound = true): Promise<Recorded> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const video = new EncodedVideoPacketSource("vp8");
  const audio = new EncodedAudioPacketSource("opus");
  output.addVideoTrack(video);
  if (sound) output.addAudioTrack(audio);
  await output.start();
  const picture = { decoderConfig: { codec: "vp8", codedWidth: 64, codedHeight: 36 } };
  const voice = { decoderConfig: { codec: "opus", numberOfChannels: 2, sampleRate: 48_000 } };
  for (let i = 0; i < seconds * 25; i += 1) {
    const type = i === 0 ? "key" : "delta";
    await video.add(new EncodedPacket(new Uint8Array([1, run, i]), type, i / 25, 1 / 25), picture);
  }
  const packets = sound ? seconds * 50 : 0;
  for (let i = 0; i < packets; i += 1) {
    await audio.add(new EncodedPacket(new Uint8Array([2, run, i]), "key", i / 50, 1 / 50), voice);
  }
  await output.finalize();
  const data = new Blob([target.buffer as ArrayBuffer]);
  return { segment: { at, run, type: "video/webm;codecs=vp8,opus" }, data };
}
async function read(file: Blob) {
  const input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
  const times = async (kind: "video" | "audio") => {
    const track = await (kind === "video"
      ? input.getPrimaryVideoTrack()
      : input.getPrimaryAudioTrack());
    const found: { at: number; silent: boolean; type: string }[] = [];
    if (track === null) return found;
    for await (const { timestamp, data, type } of new EncodedPacketSink(track).packets()) {
      const silent = data.length === 3 && data.every((byte, i) => byte === OPUS_SILENCE[i]);
      found.push({ at: timestamp, silent, type });
    }
    return found;
  };
  return {
    duration: await input.computeDuration(),
    video: await times("video"),
    audio: await times("audio"),
  };
}

it("A take-over of two seconds stays in the file: the picture stands, and the sound is silence", async () => {
  const { file, extension } = await joinSegments(
    [await segment(0, 0, 2), await segment(4000, 0, 1)],
    null,
  );
  expect(extension).toBe(".webm");
  const { duration, video, audio } = await read(file);
  expect(duration).toBeCloseTo(5, 1);
  expect(video).toHaveLength(75);
  expect(video[50]?.at).toBeCloseTo(4, 2);
  expect(video[50]?.type).toBe("key");
  // Sound has no gap: a player that counts samples stays in step.
  expect(audio.filter(({ silent }) => silent)).toHaveLength(100);
  for (const [i, one] of audio.entries()) expect(one.at).toBeCloseTo(i / 50, 2);
});

it("A pause takes no time in the file", async () => {
  const { file } = await joinSegments([await segment(0, 0, 1), await segment(90_000, 1, 1)], null);
  const { duration, audio } = await read(file);
  expect(duration).toBeCloseTo(2, 1);
  expect(audio.some(({ silent }) => silent)).toBe(false);
});

it("A segment whose tab could play no sound is silent, and one that has no picture yet is left out", async () => {
  const broken = { ...(await segment(500, 0, 1)), data: new Blob(["not a film"]) };
  const { file } = await joinSegments(
    [await segment(0, 0, 1), broken, await segment(1000, 0, 1, false), await segment(2000, 0, 1)],
    null,
  );
  const { duration, audio } = await read(file);
  expect(duration).toBeCloseTo(3, 1);
  expect(audio.filter(({ silent }) => silent)).toHaveLength(50);
});

it("Nothing recorded is an error that says so", async () => {
  await expect(joinSegments([], null)).rejects.toMatchObject({ code: "media.nothing-recorded" });
});
