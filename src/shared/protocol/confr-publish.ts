/**
 * How an own stream is published (docs/conferences.md#own-tracks-and-bitrates): where sound and picture come from, and what is sent of
 * them. The host page of the library says it, the core keeps it for every later connection, the owner tab obeys it.
 */
import { z } from "../zod.ts";
import { videoCodecSchema } from "./confr-model.ts";

/** Limits of bitrates, kbit/s. Opus sends 6 to 510. */
export const BITRATE_LIMITS = {
  video: { min: 30, max: 20_000 },
  audio: { min: 6, max: 510 },
} as const;

const videoBitrate = z
  .number()
  .int()
  .min(BITRATE_LIMITS.video.min)
  .max(BITRATE_LIMITS.video.max)
  .optional();
const audioBitrate = z
  .number()
  .int()
  .min(BITRATE_LIMITS.audio.min)
  .max(BITRATE_LIMITS.audio.max)
  .optional();

/** What is sent. Bitrates in kbit/s, with the specification's names. */
export const publishSettingsSchema = z.object({
  /** At most this much; congestion may reduce it. */
  maxVideoBitrate: videoBitrate,
  maxAudioBitrate: audioBitrate,
  /** Exactly this much, whatever the congestion control says. */
  forceVideoBitrate: videoBitrate,
  /** At least this much. */
  forceMinVideoBitrate: videoBitrate,
  forceAudioBitrate: audioBitrate,
  /** Codecs of the picture, best first. Those that the browser cannot send are left out. */
  codecs: z.array(videoCodecSchema).min(1).max(8).optional(),
  /** Whether silence is sent in few packets (Opus). Absent: as the media node asks. */
  dtx: z.boolean().optional(),
  /** Whether a small picture is sent beside the large one. Default: for a camera, not for a screen. */
  simulcast: z.boolean().optional(),
});
export type PublishSettings = z.infer<typeof publishSettingsSchema>;

const text = z.string().max(256);
const value = z.union([z.number(), z.boolean(), text, z.array(text).max(16)]);
const range = z.object({
  exact: value.optional(),
  ideal: value.optional(),
  min: z.number().optional(),
  max: z.number().optional(),
});
/** MediaTrackConstraints without `advanced`. */
export const trackConstraintsSchema = z
  .record(z.string().max(64), z.union([value, range]))
  .refine((all) => Object.keys(all).length <= 32);
export type TrackConstraints = z.infer<typeof trackConstraintsSchema>;

/** `own`: a track of the host page in the tab that publishes. Constraints: a device that the library opens with them. */
const source = z.union([z.literal("own"), trackConstraintsSchema]);
export const captureSourcesSchema = z.object({
  audio: source.optional(),
  video: source.optional(),
});
export type CaptureSources = z.infer<typeof captureSourcesSchema>;

/** What the core keeps of a publication, so that every later connection sends the same. */
export const publicationSchema = z.object({
  settings: publishSettingsSchema.default({}),
  sources: captureSourcesSchema.default({}),
  /** Camera and microphone are published as a mixer stream. */
  mixer: z.literal(true).optional(),
  /** The tab that has the own tracks. */
  tabId: z.string(),
});
export type Publication = z.infer<typeof publicationSchema>;

/** The parts of a media command `publish` that depend on the settings. Bitrates in bit/s. */
export const forcedSchema = z.object({
  video: z.number().int().optional(),
  minVideo: z.number().int().optional(),
  audio: z.number().int().optional(),
  dtx: z.boolean().optional(),
});
export type Forced = z.infer<typeof forcedSchema>;
