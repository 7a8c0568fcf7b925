/** Quality statistics (docs/calls.md#quality-upload). Numbers are whole. */
import { z } from "../zod.ts";

export const QUALITY_PATH = "/quality";

/** One reading of one direction of one connection. The owner tab reduces getStats to it; the core computes the rest. */
export const streamSampleSchema = z.object({
  /** `${rtcId}:${direction}:${kind}` */
  id: z.string().max(160),
  rtcId: z.string().max(64),
  direction: z.enum(["local", "remote"]),
  kind: z.enum(["audio", "video"]),
  /** Milliseconds since the epoch. */
  at: z.number(),
  bytes: z.number().nonnegative(),
  packets: z.number().nonnegative(),
  packetsLost: z.number(),
  /** Milliseconds; null while unknown. */
  rtt: z.number().nullable(),
  jitter: z.number().nullable(),
  frames: z.number().nullable(),
  framesDropped: z.number().nullable(),
  fps: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  freezeCount: z.number().nullable(),
  pliCount: z.number().nullable(),
  qpSum: z.number().nullable(),
  /** 0..1 */
  audioLevel: z.number().nullable(),
  concealedSamples: z.number().nullable(),
  totalSamples: z.number().nullable(),
});
export type StreamSample = z.infer<typeof streamSampleSchema>;

const common = z.object({
  confrId: z.string().max(64),
  memId: z.string().max(64),
  memName: z.string().max(64),
  time: z.number().int(),
  sessionId: z.string().max(64),
});

export const qualityRecordSchema = z.discriminatedUnion("kind", [
  /** Type 0, session init. */
  common.extend({
    kind: z.literal(0),
    appkey: z.string().max(128),
    joinConfrTime: z.number().int(),
    networkType: z.string().max(32),
    sdkOS: z.literal("Web"),
    sdkVersion: z.string().max(32),
    deviceInfo: z.string().max(300),
    osVersion: z.string().max(100),
    result: z.number().int(),
  }),
  /** Type 1, periodic. */
  common.extend({
    kind: z.literal(1),
    streamType: z.number().int().min(0).max(2),
    sId: z.string().max(160),
    rtcId: z.string().max(64),
    isPub: z.boolean(),
    subMemName: z.string().max(64),
    subMemId: z.string().max(64),
    media: z.enum(["audio", "video"]),
    packets: z.number().int(),
    bytes: z.number().int(),
    packetsLost: z.number().int(),
    packetLossRate: z.number().int(),
    KBps: z.number().int(),
    frameWidth: z.number().int(),
    frameHeight: z.number().int(),
    fps: z.number().int(),
    rtt: z.number().int(),
    audioInputLevel: z.number().int(),
  }),
  /** Type 2, event: 0 enter, 2 ICE connected, 4 connect failed or poor network, 5 ICE disconnected, 14, 16, 20. */
  common.extend({
    kind: z.literal(2),
    event: z.number().int(),
    rtcId: z.string().max(64).optional(),
    detail: z.string().max(300).optional(),
  }),
]);
export type QualityRecord = z.infer<typeof qualityRecordSchema>;

/** Client to server: a batch, numbered so that a batch sent twice is stored once. */
export const qualityUploadSchema = z.object({
  batch: z.string().min(1).max(64),
  records: z.array(qualityRecordSchema).min(1).max(500),
});
export type QualityUpload = z.infer<typeof qualityUploadSchema>;

/** First frame to a platform whose ticket has a `qoeTktId`; it says whose records follow. It is not acknowledged. */
export const qualityEnterSchema = z.object({ ticket: z.string().min(1).max(4096) });

export const qualityAckSchema = z.object({
  /** "" when the server could not read the frame. */
  batch: z.string(),
  result: z.number().int(),
  msg: z.string().optional(),
});

/** `result` of an acknowledgement. After `busy` and `unavailable` the client may send the same batch again, after the others not. */
export const QUALITY_RESULT = {
  ok: 0,
  badFrame: -400,
  /** The records belong to another person or conference; nothing of the batch was stored. */
  refused: -405,
  busy: -429,
  unavailable: -503,
} as const;

/** Query of the upload address. The token is left out where a ticket is sent in its place. */
export const qualityQuerySchema = z.object({
  orgName: z.string().min(1).max(64),
  appName: z.string().min(1).max(64),
  memName: z.string().min(1).max(64),
  ts: z.string().max(32),
  access_token: z.string().min(1).max(4096).optional(),
});

/** ms within which the client must send the ticket on a quality socket. */
export const QUALITY_ENTER_MS = 10_000;

export const QUALITY_LIMITS = {
  frameBytes: 512 * 1024,
  framesPerSecond: 10,
  burst: 50,
  badFrames: 20,
} as const;
