/** How a recording is encoded, and how its segments are kept (docs/conferences.md#recording). */

/** Tried in this order; the last one leaves the choice to the browser. */
export const RECORDER_TYPES = [
  "video/webm;codecs=vp9",
  "video/webm;codecs=vp8",
  "video/webm",
  "",
] as const;

/** @returns the first type that the browser can record */
export const recorderType = (supports: (type: string) => boolean): string =>
  RECORDER_TYPES.find((type) => type === "" || supports(type)) ?? "";

/** Pictures per second of the canvas. */
export const CANVAS_RATE = 25;
/** ms between two parts of a segment. A tab that dies loses at most what it recorded since the last part. */
export const PART_MS = 500;

export interface Size {
  readonly w: number;
  readonly h: number;
}
/** px of a composed conference; a stream alone keeps its own size. */
export const COMPOSED: Size = { w: 1280, h: 720 };

/** A recording as the store knows it. Its id is the core's. */
export interface RecordingInfo {
  readonly id: string;
  /** Name of the conference. */
  readonly name: string;
  /** ms since the epoch */
  readonly startedAt: number;
}
/** What one tab recorded without a pause. */
export interface Segment {
  /** When its first picture was recorded, ms since the epoch; names the segment within its recording. */
  readonly at: number;
  /** Raised by one after each pause: time passes between segments of a run, and none between runs. */
  readonly run: number;
  /** The type that the browser recorded. */
  readonly type: string;
}
