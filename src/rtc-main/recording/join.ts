/**
 * Joins the segments of a recording to one file that plays everywhere (docs/conferences.md#recording): the packets stay as they were
 * encoded, their times are moved, and gaps of sound become silence. Loaded when a recording is saved: the muxer is large.
 */
import {
  ALL_FORMATS,
  type AudioCodec,
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  type StreamTargetChunk,
  type VideoCodec,
  WebMOutputFormat,
} from "mediabunny";
import { AppError } from "../../shared/errors.ts";
import { offsets, OPUS_PACKET, OPUS_SILENCE, opusLength, silences } from "./timeline.ts";
import { CANVAS_RATE, type Segment } from "./types.ts";

export interface Recorded {
  readonly segment: Segment;
  readonly data: Blob;
}
/** Where the file is written. */
export interface FileSink {
  readonly writable: WritableStream<StreamTargetChunk>;
  /** The whole file. Call after the end of writing. */
  file(): Promise<Blob>;
}

interface Opened {
  readonly input: Input;
  readonly segment: Segment;
  readonly video: InputVideoTrack;
  readonly audio: InputAudioTrack | null;
  readonly first: number;
  readonly length: number;
}

/** @param usual s that the last packet lasts, which a recorder does not say */
async function endOf(track: InputVideoTrack | InputAudioTrack, usual: number): Promise<number> {
  const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY);
  return last === null ? 0 : last.timestamp + (last.duration || usual);
}

async function open({ segment, data }: Recorded): Promise<Opened | null> {
  const input = new Input({ source: new BlobSource(data), formats: ALL_FORMATS });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    if (video === null || (await new EncodedPacketSink(video).getFirstPacket()) === null) {
      input.dispose();
      return null;
    }
    const first = await input.getFirstTimestamp();
    const ends = [await endOf(video, 1 / CANVAS_RATE)];
    if (audio !== null) ends.push(await endOf(audio, OPUS_PACKET));
    return { input, segment, video, audio, first, length: Math.max(...ends) - first };
  } catch {
    // The tab died before its first part was whole.
    input.dispose();
    return null;
  }
}

async function copyVideo(
  all: readonly Opened[],
  begins: readonly number[],
  to: EncodedVideoPacketSource,
): Promise<void> {
  let last = -1;
  for (const [i, { video, first }] of all.entries()) {
    const decoderConfig = (await video.getDecoderConfig()) ?? undefined;
    for await (const packet of new EncodedPacketSink(video).packets()) {
      const timestamp = Math.max(0, packet.timestamp - first + (begins[i] as number));
      if (timestamp <= last) continue;
      last = timestamp;
      await to.add(
        packet.clone({ timestamp }),
        decoderConfig === undefined ? undefined : { decoderConfig },
      );
    }
  }
}

async function copyAudio(
  all: readonly Opened[],
  begins: readonly number[],
  to: EncodedAudioPacketSource,
): Promise<void> {
  const opus = (await firstCodec(all)) === "opus";
  const decoderConfig = await all.find(({ audio }) => audio !== null)?.audio?.getDecoderConfig();
  const meta =
    decoderConfig === null || decoderConfig === undefined ? undefined : { decoderConfig };
  let end = 0;
  const fill = async (until: number): Promise<void> => {
    if (!opus) return;
    for (const at of silences(end, until)) {
      await to.add(new EncodedPacket(OPUS_SILENCE, "key", at, OPUS_PACKET), meta);
      end = at + OPUS_PACKET;
    }
  };
  for (const [i, { audio, first, length }] of all.entries()) {
    const begin = begins[i] as number;
    if (audio === null) {
      await fill(begin + length);
      continue;
    }
    for await (const packet of new EncodedPacketSink(audio).packets()) {
      const wanted = packet.timestamp - first + begin;
      const duration = opus ? opusLength(packet.data) : packet.duration;
      await fill(wanted);
      if (wanted + duration / 2 < end) continue;
      // The recorder's times are rounded to ms; a packet begins where the one before it ends.
      const timestamp = Math.max(wanted, end);
      await to.add(packet.clone({ timestamp, duration }), meta);
      end = timestamp + duration;
    }
  }
}
const firstCodec = async (all: readonly Opened[]): Promise<AudioCodec | null> => {
  const audio = all.find((one) => one.audio !== null)?.audio ?? null;
  return audio === null ? null : audio.getCodec();
};

/**
 * @param recorded the segments in their order
 * @param sink null: in memory
 * @throws AppError media.cannot-record when no segment has a picture
 */
export async function joinSegments(
  recorded: readonly Recorded[],
  sink: FileSink | null,
): Promise<{ readonly file: Blob; readonly extension: string }> {
  const all: Opened[] = [];
  for (const one of recorded) {
    const opened = await open(one);
    if (opened !== null) all.push(opened);
  }
  try {
    const [first] = all;
    const codec = (await first?.video.getCodec()) as VideoCodec | null | undefined;
    if (first === undefined || codec === null || codec === undefined) {
      throw new AppError("media.nothing-recorded");
    }
    const mp4 = first.segment.type.includes("mp4");
    const format = mp4 ? new Mp4OutputFormat({ fastStart: false }) : new WebMOutputFormat();
    const buffer = sink === null ? new BufferTarget() : null;
    const target = buffer ?? new StreamTarget((sink as FileSink).writable, { chunked: true });
    const output = new Output({ format, target });
    const video = new EncodedVideoPacketSource(codec);
    output.addVideoTrack(video);
    const audioCodec = await firstCodec(all);
    const audio = audioCodec === null ? null : new EncodedAudioPacketSource(audioCodec);
    if (audio !== null) output.addAudioTrack(audio);
    await output.start();
    const begins = offsets(all);
    // Both at once: the muxer writes what both have.
    await Promise.all([
      copyVideo(all, begins, video).then(() => video.close()),
      audio === null ? undefined : copyAudio(all, begins, audio).then(() => audio.close()),
    ]);
    await output.finalize();
    const type = mp4 ? "video/mp4" : "video/webm";
    const file =
      buffer === null
        ? await (sink as FileSink).file()
        : new Blob([buffer.buffer as ArrayBuffer], { type });
    return {
      file: file.type === type ? file : file.slice(0, file.size, type),
      extension: format.fileExtension,
    };
  } finally {
    for (const { input } of all) input.dispose();
  }
}
