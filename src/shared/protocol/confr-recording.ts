/** Recording in the tab that owns the media (docs/conferences.md#recording): what the core asks of it, what it reports, and what tabs show. */
import { z } from "../zod.ts";

const recordingId = z.string().min(1).max(64);
const size = z.object({ w: z.number().int().positive(), h: z.number().int().positive() });

/** One picture and sound of a recording. "self" is the own camera, "screen" the own screen. */
export const recordedTileSchema = z.object({
  streamId: z.string().min(1).max(64),
  name: z.string(),
  /** Whether it has a picture now. */
  picture: z.boolean(),
  screen: z.boolean(),
});
export type RecordedTile = z.infer<typeof recordedTileSchema>;

export const recordCommands = [
  /** Record these streams, or from now on these. */
  z.object({
    t: z.literal("record"),
    id: recordingId,
    /** Name of the conference. */
    name: z.string(),
    startedAt: z.number(),
    /** Raised by each pause. */
    run: z.number().int(),
    /** All streams in a grid with names; false: the first one alone. */
    whole: z.boolean(),
    tiles: z.array(recordedTileSchema),
    /** Type and size of the earlier segments; null for the first one. */
    type: z.string().nullable(),
    size: size.nullable(),
  }),
  /** End the segment; answered by `recording` with `stopped`. */
  z.object({ t: z.literal("record-stop"), id: recordingId }),
] as const;

export const recordEvents = [
  z.object({
    t: z.literal("recording"),
    id: recordingId,
    state: z.enum(["on", "stopped", "failed"]),
    type: z.string().nullable(),
    size: size.nullable(),
    /** Bytes of this segment. */
    bytes: z.number(),
  }),
] as const;

/** The own recording, as every tab shows it. */
export const ownRecordingSchema = z.object({
  id: recordingId,
  /** The stream that is recorded alone; null: the whole conference. */
  streamId: z.string().nullable(),
  /** `waiting`: no tab records at this moment, as while another one takes over. */
  state: z.enum(["waiting", "on", "paused", "stopping"]),
  /** ms recorded until `since`; pauses do not count. */
  elapsed: z.number(),
  /** ms since the epoch from when on time counts; null during a pause. */
  since: z.number().nullable(),
  bytes: z.number(),
});

/** What the next core needs to go on recording. */
export const keptRecordingSchema = ownRecordingSchema.extend({
  startedAt: z.number(),
  run: z.number().int(),
  type: z.string().nullable(),
  size: size.nullable(),
  /** Bytes of the segments that ended. */
  ended: z.number(),
});
export type KeptRecording = z.infer<typeof keptRecordingSchema>;

/** Why a recording failed or ended, which the person must read. */
export const RECORDING_REFUSALS = {
  audience: "Audience not allow record.",
  notConnected: "record requires a linked stream",
  twice: "a recording goes on. not allow repeat record.",
  none: "no recording",
} as const;
