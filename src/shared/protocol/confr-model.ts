/** What a conference consists of, as the server, the core and the tabs hold it (docs/conferences.md#session): members, streams, attributes. */
import { z } from "../zod.ts";
import { CONFERENCE_ROLE, CONFERENCE_TYPE, STREAM_TYPE } from "../domain/conference-types.ts";

const memId = z.string().min(1).max(64);
const streamId = z.string().min(1).max(64);
export const flagSchema = z.union([z.literal(0), z.literal(1)]);
export const extSchema = z.string().max(4096);

export const conferenceTypeSchema = z.union([
  z.literal(CONFERENCE_TYPE.communication),
  z.literal(CONFERENCE_TYPE.communicationMix),
  z.literal(CONFERENCE_TYPE.live),
  z.literal(CONFERENCE_TYPE.p2p),
  z.literal(CONFERENCE_TYPE.intercom),
]);

export const confrRoleSchema = z.union([
  z.literal(CONFERENCE_ROLE.admin),
  z.literal(CONFERENCE_ROLE.talker),
  z.literal(CONFERENCE_ROLE.audience),
]);
export type ConferenceRole = z.infer<typeof confrRoleSchema>;
export const streamTypeSchema = z.union([
  z.literal(STREAM_TYPE.camera),
  z.literal(STREAM_TYPE.screen),
  z.literal(STREAM_TYPE.mixer),
]);
export const VIDEO_CODECS = ["VP8", "H264"] as const;
export const videoCodecSchema = z.enum(VIDEO_CODECS);
export type VideoCodec = z.infer<typeof videoCodecSchema>;
/** Codecs that a browser can receive and send, best first. */
export const videoCodecsSchema = z.object({
  receive: z.array(videoCodecSchema).max(4),
  send: z.array(videoCodecSchema).max(4),
});
export type VideoCodecs = z.infer<typeof videoCodecsSchema>;
/** Layer of a simulcast video that a subscriber gets. `none` sends no video and keeps the connection. */
export const layerSchema = z.enum(["none", "low", "high"]);
export type Layer = z.infer<typeof layerSchema>;

/** A member. */
export const confrMemberSchema = z.object({
  memId,
  /** Chat user name. */
  memName: z.string().max(64),
  nickName: z.string().max(64).default(""),
  role: confrRoleSchema,
  ext: extSchema.default(""),
  /** Ops that the member accepts from others, such as 1003 or one of REQUIRED_OPS. */
  acptOps: z.array(z.number().int()).max(64).default([]),
  vcodes: z.array(videoCodecSchema).max(4).default([]),
  /** An admin has muted this member. */
  muted: z.boolean().optional(),
  /** When the hand was raised, ms since the epoch; left out while it is down. No two are the same. */
  hand: z.number().optional(),
  /** Since when the member records the conference or a stream, ms since the epoch; left out while it does not. */
  recording: z.number().optional(),
  /** May be heard although all are muted. */
  free: z.boolean().optional(),
});
export type ConferenceMember = z.infer<typeof confrMemberSchema>;

/** A stream as every member sees it. */
export const confrStreamSchema = z.object({
  id: streamId,
  memId,
  type: streamTypeSchema,
  voff: flagSchema,
  aoff: flagSchema,
  hasVideo: z.boolean(),
  hasAudio: z.boolean(),
  /** Raised when the stream is published again; subscribers must then subscribe again. */
  sver: z.number().int(),
  /** What is sent: one codec, or none without video. */
  vcodes: z.array(videoCodecSchema),
  /** Layers that a subscriber can choose from. */
  layers: z.array(layerSchema).default([]),
  resolution: z.object({ w: z.number().int(), h: z.number().int() }).nullable().default(null),
  ext: extSchema.default(""),
});
export type ConferenceStream = z.infer<typeof confrStreamSchema>;

export const confrAttrSchema = z.object({
  key: z.string().min(1).max(64),
  val: z.string().max(4096).default(""),
  op: z.enum(["UPDATE", "DEL"]).default("UPDATE"),
});
export const confrStateSchema = z.object({
  muteAll: z.boolean(),
  /** While all are muted: they may unmute themselves. */
  mayUnmute: z.boolean().optional(),
});
