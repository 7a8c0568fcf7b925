/** Quality statistics (docs/calls.md#quality-upload). Numbers are whole. */
import { z } from "../zod.ts";

export const QUALITY_PATH = "/quality";
/** The ticket in the address that the server hands out. It says whose records follow. */
export const QUALITY_TICKET = "ticket";
/** The last parameter of that address. Clients that append a query of their own, with its question mark, append it to this. */
export const QUALITY_TAIL = "rest";

/** Why a sent picture is not better: the computer is too slow, the network too narrow. */
export const QUALITY_LIMITATIONS = ["none", "cpu", "bandwidth", "other"] as const;

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
  /** What the browser expects that it can send by this connection, kbit/s. Absent where it does not say. */
  availableKbps: z.number().optional(),
  // Absent where the browser does not say, and in what older tabs send.
  /** Name of the codec, as VP8. */
  codec: z.string().max(16).optional(),
  /** Received: ms by which all sound samples or frames together were held back, and their number. */
  bufferMillis: z.number().nonnegative().optional(),
  bufferedUnits: z.number().nonnegative().optional(),
  /** Received picture: ms of all freezes that are over. */
  frozenMillis: z.number().nonnegative().optional(),
  /** ms that all frames together took to be encoded or decoded. */
  codingMillis: z.number().nonnegative().optional(),
  /** What keeps a sent picture from being better now. */
  limited: z.enum(QUALITY_LIMITATIONS).optional(),
  /** Frames per second and size that the camera or screen gives. */
  sourceFps: z.number().nonnegative().optional(),
  sourceWidth: z.number().nonnegative().optional(),
  sourceHeight: z.number().nonnegative().optional(),
  /** Energy of all sound so far: what the microphone gave, or what was received. */
  energy: z.number().nonnegative().optional(),
  /** The pair of addresses in use: an id of the browser that says nothing by itself, and the kinds of both candidates. */
  pair: z.string().max(64).optional(),
  route: z.string().max(32).optional(),
});
export type StreamSample = z.infer<typeof streamSampleSchema>;

const common = z.object({
  confrId: z.string().max(64),
  memId: z.string().max(64),
  memName: z.string().max(64),
  time: z.number().int(),
  sessionId: z.string().max(64),
});

/** Codes of event records. */
export const QUALITY_EVENT = {
  enter: 0,
  connected: 2,
  /** The connection failed or is weak; the detail says which. */
  poor: 4,
  disconnected: 5,
  published: 14,
  subscribed: 16,
  /** The ICE state changed; the detail names it. */
  ice: 20,
  // From here on: codes of ours.
  /** Another tab of the person has the media. */
  takeover: 101,
  /** The server process that collects the records is another one, which started later. The time is that of the loss. */
  serverRestarted: 102,
  /** The state of an own device changed: `microphone:unplugged`. */
  device: 103,
  /** This machine has other addresses. */
  moved: 104,
  /** How much of the own picture a weak network leaves: a level of `PICTURE_LEVELS`. */
  picture: 105,
} as const;
export type QualityEvent = (typeof QUALITY_EVENT)[keyof typeof QUALITY_EVENT];

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
    /** Id of the stream. Older cores put the id of the sample here. */
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
    // Absent in records of older cores, and where the browser does not say.
    /** Opinion score times 100 (docs/calls.md#opinion-scores). */
    mos: z.number().int().min(100).max(500).optional(),
    /** Whether the stream should flow: neither muted nor off. */
    on: z.boolean().optional(),
    jitter: z.number().int().optional(),
    /** ms for which the receiver held it back in this interval. */
    buffer: z.number().int().optional(),
    /** New freezes of this interval, and the ms of those that ended in it. */
    freezes: z.number().int().optional(),
    frozen: z.number().int().optional(),
    dropped: z.number().int().optional(),
    frames: z.number().int().optional(),
    /** % of the time in which the coder worked. */
    coding: z.number().int().optional(),
    limited: z.enum(QUALITY_LIMITATIONS).optional(),
    available: z.number().int().optional(),
    sourceFps: z.number().int().optional(),
    sourceWidth: z.number().int().optional(),
    sourceHeight: z.number().int().optional(),
    /** Whether the microphone gave any sound in this interval. */
    sounds: z.boolean().optional(),
    codec: z.string().max(16).optional(),
    pair: z.string().max(64).optional(),
    route: z.string().max(32).optional(),
    /**
     * ms by which half of the timers of this interval were late at least: those of the core, or of the owner tab if they were later. It
     * is about the machine, and the same in all streams of a sample. Absent while the owner tab is hidden.
     */
    late: z.number().int().nonnegative().optional(),
  }),
  /** Type 2, event. */
  common.extend({
    kind: z.literal(2),
    event: z.number().int(),
    rtcId: z.string().max(64).optional(),
    detail: z.string().max(300).optional(),
  }),
]);
export type QualityRecord = z.infer<typeof qualityRecordSchema>;

/**
 * What was measured as one: one medium of one direction of one connection, with the id that its samples have. `sId` does not name it:
 * a stream has sound and picture, both sides know it by the same id, and each connection counts from zero.
 */
export const measuredKey = ({
  rtcId,
  isPub,
  media,
}: Pick<Extract<QualityRecord, { kind: 1 }>, "rtcId" | "isPub" | "media">): string =>
  `${rtcId}:${isPub ? "local" : "remote"}:${media}`;

/** Client to server: a batch, numbered so that a batch sent twice is stored once. */
export const qualityUploadSchema = z.object({
  batch: z.string().min(1).max(64),
  records: z.array(qualityRecordSchema).min(1).max(500),
});
export type QualityUpload = z.infer<typeof qualityUploadSchema>;

/**
 * A frame of clients that send each record by itself: 0 begins a session, 1 is periodic, 2 is an event. Further fields are the
 * client's own. Only refused frames are answered.
 */
export const plainQualitySchema = z.looseObject({
  type: z.literal([0, 1, 2]),
  confrId: z.string().max(64).nullish(),
  memName: z.string().max(256).nullish(),
  /** ms since the epoch; left out: now. */
  time: z.number().int().nonnegative().nullish(),
});
export type PlainQuality = z.infer<typeof plainQualitySchema>;

export const qualityAckSchema = z.object({
  /** "" when the server could not read the frame. */
  batch: z.string(),
  result: z.number().int(),
  msg: z.string().optional(),
  /** When the collecting process started, ms since the epoch. */
  startedAt: z.number().optional(),
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

/** The part of the upload address that the server reads. The ticket contains everything else. */
export const qualityQuerySchema = z.object({ [QUALITY_TICKET]: z.string().min(1).max(4096) });

export const QUALITY_LIMITS = {
  frameBytes: 512 * 1024,
  framesPerSecond: 10,
  burst: 50,
  badFrames: 20,
  /** Of a frame that is one record. */
  plainBytes: 16 * 1024,
} as const;
