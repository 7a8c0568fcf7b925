/** What was measured of a call or conference, side by side (docs/calls.md#timeline). Shown, exported and read again in this shape. */
import { z } from "../zod.ts";
import { QUALITY_LIMITATIONS } from "./qoe.ts";

const figure = z.number().nullable();

/** One sample of one stream: what was measured since the one before. null: the browser did not say. */
export const timelinePointSchema = z.object({
  /** ms since the epoch, by the server's clock. */
  at: z.number(),
  /** Whether the stream should flow: neither muted nor off. */
  on: z.boolean(),
  /** Opinion score, 1 to 5. */
  mos: figure,
  /** kbit/s */
  kbps: figure,
  /** % of the packets of the interval. */
  loss: figure,
  /** All packets so far, and those of them (sent) or beside them (received) that were lost. */
  packets: z.number(),
  lost: z.number(),
  /** ms */
  rtt: figure,
  jitter: figure,
  /** ms for which the receiver held sound or picture back. */
  buffer: figure,
  fps: figure,
  width: figure,
  height: figure,
  /** Frames a second of the camera or screen. */
  sourceFps: figure,
  /** Frames that were encoded or decoded, frames dropped by the decoder, and freezes: numbers of the interval. */
  frames: figure,
  dropped: figure,
  freezes: figure,
  /** ms of the freezes that ended in the interval. */
  frozen: figure,
  /** % of the time in which the coder worked. */
  coding: figure,
  limited: z.enum(QUALITY_LIMITATIONS).nullable(),
  /** What the browser expects that it can send, kbit/s. */
  available: figure,
  /** Whether there was any sound. */
  sounds: z.boolean().nullable(),
  /** The pair of addresses in use, and the kinds of its candidates: host, relay, udp. */
  pair: z.string().max(64).nullable(),
  route: z.string().max(32).nullable(),
  /** ms by which timers of the side's machine were late. Files of older consoles have none. */
  late: figure.default(null),
});
export type TimelinePoint = z.infer<typeof timelinePointSchema>;

export const timelineStreamSchema = z.object({
  id: z.string().max(160),
  rtcId: z.string().max(64),
  /** As this side sees it: sent or received. */
  direction: z.enum(["local", "remote"]),
  kind: z.enum(["audio", "video"]),
  screen: z.boolean(),
  /** Chat user name of the member whose stream it is; "" where unknown. */
  from: z.string().max(256),
  points: z.array(timelinePointSchema),
});
export type TimelineStream = z.infer<typeof timelineStreamSchema>;

export const timelineEventSchema = z.object({
  at: z.number(),
  /** A code of `QUALITY_EVENT`. */
  code: z.number().int(),
  rtcId: z.string().max(64).nullable(),
  detail: z.string().max(300),
});
export type TimelineEvent = z.infer<typeof timelineEventSchema>;

export const timelineSideSchema = z.object({
  /** Chat user name. */
  memName: z.string().max(256),
  /** Browser, system, network and build, as far as this side said. */
  machine: z.array(z.string().max(300)),
  streams: z.array(timelineStreamSchema),
  events: z.array(timelineEventSchema),
});
export type TimelineSide = z.infer<typeof timelineSideSchema>;

export const callTimelineSchema = z.object({
  confrId: z.string().max(128),
  sides: z.array(timelineSideSchema),
});
export type CallTimeline = z.infer<typeof callTimelineSchema>;
