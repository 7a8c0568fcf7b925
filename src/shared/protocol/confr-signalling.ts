/**
 * The signalling WebSocket of a conference: JSON messages with op codes. A request has a `tsxId`; its answer has the same op, the
 * same tsxId and a `result`. Each change of the conference raises `cver` by one and goes to all members; a client that finds a gap
 * requests a copy (op 1000, docs/conferences.md#version). One-to-one calls use a different socket (signalling.ts).
 */
import { z } from "../zod.ts";
import { rtcCfgSchema, ticketSchema } from "./rest/rtc.ts";
import { candidateSchema, SIGNALLING_LIMITS } from "./signalling.ts";

export const CONFR_PATH = "/conference";

export const CONFR_OP = {
  error: 0,
  ping: 100,
  pong: 101,
  /** Client: publishes a stream; carries the offer. */
  publish: 102,
  candidates: 105,
  /** Client: the answer to the media node's offer of a subscription. */
  answer: 106,
  /** Both directions: a connection (rtcId) ends. From the server it carries an end reason. */
  terminate: 107,
  enter: 200,
  leave: 201,
  /** Client: end the conference for all. Server: the conference is over. */
  closeConference: 204,
  subscribe: 205,
  unsubscribe: 206,
  memberEntered: 300,
  memberExited: 301,
  streamAdded: 302,
  streamRemoved: 303,
  members: 304,
  streamControl: 400,
  attributes: 402,
  role: 412,
  admins: 413,
  liveConfigs: 452,
  record: 500,
  copy: 1000,
  controlResponse: 1001,
  controlRequest: 1002,
  message: 1003,
} as const;

/** End reasons of a connection (op 107) and of a membership, beyond END_REASON (docs/conferences.md#end-reasons). */
export const CONFR_END = {
  switchCodec: 21,
  codecUnsupported: 22,
  tooManyVideos: 23,
  tooManyDesktops: 24,
  /** Kicked by an admin. */
  kicked: 12,
  /** The media node lost the connection; the client must build a new one. */
  nodeGone: 25,
} as const;

/** Result codes beyond RESULT (docs/conferences.md#results). */
export const CONFR_RESULT = {
  controlRejected: -402,
  controlBusy: -403,
  grantTalkerFailed: -523,
  wrongPassword: -502,
  full: -504,
  /** The media node is not available now; the client may try again. */
  mediaUnavailable: -508,
} as const;

/** Codes in an `arg` (op2, docs/conferences.md#requests). */
export const OP2 = {
  mediaControl: 20,
  talkerRequest: 21,
  adminRequest: 22,
  mute: 23,
  unmute: 24,
  panelControl: 30,
} as const;

const tsxId = z.string().min(1).max(64);
const sessId = z.string().min(1).max(64);
const rtcId = z.string().min(1).max(64);
const memId = z.string().min(1).max(64);
const streamId = z.string().min(1).max(64);
const sdp = z.string().min(1).max(200_000);
const flag = z.union([z.literal(0), z.literal(1)]);
const ext = z.string().max(4096);
const result = z.number().int();
const msg = z.string().optional();
const cver = z.number().int().nonnegative();

export const confrRoleSchema = z.union([z.literal(7), z.literal(3), z.literal(1)]);
export type ConfrRole = z.infer<typeof confrRoleSchema>;
/** 0 camera and microphone, 1 screen, 2 audio mixer. */
export const streamTypeSchema = z.union([z.literal(0), z.literal(1), z.literal(2)]);
export const videoCodecSchema = z.enum(["VP8", "H264"]);
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

export const confrMemberSchema = z.object({
  memId,
  /** Chat user name. */
  memName: z.string().max(64),
  nickName: z.string().max(64).default(""),
  role: confrRoleSchema,
  ext: ext.default(""),
  /** Ops that the member accepts from others, such as 1002, 1003, 100201. */
  acptOps: z.array(z.number().int()).max(64).default([]),
  vcodes: z.array(videoCodecSchema).max(4).default([]),
  /** An admin has muted this member. */
  muted: z.boolean().optional(),
});
export type ConfrMember = z.infer<typeof confrMemberSchema>;

/** A stream as every member sees it. */
export const confrStreamSchema = z.object({
  id: streamId,
  memId,
  type: streamTypeSchema,
  /** Connection by which the publisher sends it to the media node. */
  rtcId,
  voff: flag,
  aoff: flag,
  hasVideo: z.boolean(),
  hasAudio: z.boolean(),
  /** Raised when the stream is published again; subscribers must then subscribe again. */
  sver: z.number().int(),
  vcodec: videoCodecSchema.nullable(),
  /** Layers that a subscriber can choose from. */
  layers: z.array(layerSchema).default([]),
  resolution: z.object({ w: z.number().int(), h: z.number().int() }).nullable().default(null),
  ext: ext.default(""),
});
export type ConfrStream = z.infer<typeof confrStreamSchema>;

export const confrAttrSchema = z.object({
  key: z.string().min(1).max(64),
  val: z.string().max(4096).default(""),
  op: z.enum(["UPDATE", "DEL"]).default("UPDATE"),
});
export const confrStateSchema = z.object({ muteAll: z.boolean() });

/** The whole conference, as the answer to enter and copy carries it. */
const snapshot = {
  mems: z.array(confrMemberSchema),
  streams: z.array(confrStreamSchema),
  cver,
  cattrs: z.array(confrAttrSchema),
  cstate: confrStateSchema,
};

/** Passed from member to member (ops 1001, 1002). The server relays it and reads only op2. */
export const controlArgSchema = z.looseObject({ op2: z.number().int() });

/** What a client wants to publish. */
export const pubSchema = z.object({
  /** Set to publish an existing stream again (camera switched, connection rebuilt, another tab); left out for a new stream. */
  id: streamId.optional(),
  type: streamTypeSchema,
  voff: flag.default(0),
  aoff: flag.default(0),
  /** Codecs in order of preference, best first. */
  vcodes: z.array(videoCodecSchema).max(4).default(["VP8", "H264"]),
  resolution: z.object({ w: z.number().int(), h: z.number().int() }).nullable().default(null),
  ext: ext.default(""),
});

const request = { tsxId, sessId };
export const confrClientSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal(CONFR_OP.enter),
    tsxId,
    ticket: ticketSchema,
    nickName: z.string().max(64).default(""),
    resource: z.string().max(128).default(""),
    ext: ext.default(""),
    acptOps: z.array(z.number().int()).max(64).default([]),
    vcodes: z.array(videoCodecSchema).max(4).default([]),
    /** The session to resume after a lost socket. */
    sessId: sessId.optional(),
    /** The last cver that this client applied. */
    cver: cver.optional(),
  }),
  z.object({ op: z.literal(CONFR_OP.ping), ...request }),
  /**
   * The publisher's offer: at most one audio section, then at most two video sections, first the high layer, then the low one.
   * Each section names its SSRCs. Sending the same rtcId again is an ICE restart; a media node that cannot restart answers notAllowed.
   */
  z.object({ op: z.literal(CONFR_OP.publish), ...request, rtcId, sdp, pubS: pubSchema }),
  /** Sending the same rtcId again changes what is sent without a new offer. With `restart` a new offer follows, or notAllowed. */
  z.object({
    op: z.literal(CONFR_OP.subscribe),
    ...request,
    rtcId,
    subSId: streamId,
    subSVideo: z.boolean(),
    subSAudio: z.boolean(),
    layer: layerSchema.default("high"),
    restart: z.boolean().default(false),
  }),
  z.object({ op: z.literal(CONFR_OP.unsubscribe), ...request, rtcId, subSId: streamId }),
  z.object({ op: z.literal(CONFR_OP.answer), ...request, rtcId, sdp }),
  z.object({
    op: z.literal(CONFR_OP.candidates),
    ...request,
    rtcId,
    cands: z.array(candidateSchema).max(100),
  }),
  /** For an own stream: unpublish. For a subscription: the same as unsubscribe. */
  z.object({ op: z.literal(CONFR_OP.terminate), ...request, rtcId, reason: z.number().int() }),
  z.object({ op: z.literal(CONFR_OP.streamControl), ...request, rtcId, voff: flag, aoff: flag }),
  z.object({ op: z.literal(CONFR_OP.record), ...request, rtcId, flag }),
  z.object({ op: z.literal(CONFR_OP.controlRequest), ...request, memId, arg: controlArgSchema }),
  /** `tsxId` is that of the answered request. */
  z.object({
    op: z.literal(CONFR_OP.controlResponse),
    ...request,
    memId,
    result,
    arg: controlArgSchema,
  }),
  /** In-call text; without `to` it goes to all members. */
  z.object({
    op: z.literal(CONFR_OP.message),
    ...request,
    to: memId.optional(),
    id: z.string().min(1).max(64),
    text: z.string().min(1).max(2000),
  }),
  z.object({ op: z.literal(CONFR_OP.copy), ...request }),
  z.object({ op: z.literal(CONFR_OP.leave), ...request }),
  z.object({ op: z.literal(CONFR_OP.closeConference), ...request }),
]);
export type ConfrClientSignal = z.infer<typeof confrClientSchema>;

const answer = { tsxId, sessId: sessId.optional(), result, msg };
const event = { sessId, cver };
/** Answers have tsxId and result. Events have neither, except the relayed ones. */
export const confrServerSchema = z.union([
  z.object({
    op: z.literal(CONFR_OP.enter),
    ...answer,
    memId: memId.optional(),
    role: confrRoleSchema.optional(),
    roleToken: z.string().optional(),
    ...z.object(snapshot).partial().shape,
    yourIp: z.string().optional(),
    /** Sent to clients that entered with a ticket from another system, which have no other way to get it. */
    rtcCfg: rtcCfgSchema.optional(),
    /** The session named in the request was found and continues with its streams and connections. */
    resumed: z.boolean().optional(),
  }),
  z.object({ op: z.literal(CONFR_OP.pong), tsxId, sessId, cver }),
  z.object({
    op: z.literal(CONFR_OP.publish),
    ...answer,
    rtcId,
    sdp: sdp.optional(),
    stream: confrStreamSchema.optional(),
    endReason: z.number().int().optional(),
  }),
  /** `sdp`: the media node's offer, which the client answers by op 106; left out when nothing had to be negotiated. */
  z.object({
    op: z.literal(CONFR_OP.subscribe),
    ...answer,
    rtcId,
    sdp: sdp.optional(),
    /** With a refusal: codecUnsupported. */
    endReason: z.number().int().optional(),
  }),
  z.object({ op: z.literal(CONFR_OP.unsubscribe), ...answer }),
  z.object({ op: z.literal(CONFR_OP.answer), ...answer }),
  /** With tsxId: an answer. Without: candidates of the media node. */
  z.object({
    op: z.literal(CONFR_OP.candidates),
    tsxId: tsxId.optional(),
    result: result.optional(),
    sessId: sessId.optional(),
    rtcId: rtcId.optional(),
    cands: z.array(candidateSchema).optional(),
  }),
  /** With tsxId: an answer. Without: the client must close the connection, and build a new one for the reasons 21 and 25. */
  z.object({
    op: z.literal(CONFR_OP.terminate),
    tsxId: tsxId.optional(),
    result: result.optional(),
    sessId: sessId.optional(),
    rtcId: rtcId.optional(),
    endReason: z.number().int().optional(),
    /** With reason 21: the codecs to use from now on, best first. */
    vcodes: z.array(videoCodecSchema).optional(),
  }),
  z.object({
    op: z.literal(CONFR_OP.streamControl),
    tsxId: tsxId.optional(),
    result: result.optional(),
    msg,
    /** With a refusal: tooManyVideos. */
    endReason: z.number().int().optional(),
    sessId: sessId.optional(),
    cver: cver.optional(),
    streamId: streamId.optional(),
    memId: memId.optional(),
    voff: flag.optional(),
    aoff: flag.optional(),
  }),
  z.object({ op: z.literal(CONFR_OP.record), ...answer }),
  z.object({ op: z.literal(CONFR_OP.leave), ...answer }),
  z.object({ op: z.literal(CONFR_OP.copy), ...answer, ...z.object(snapshot).partial().shape }),
  z.object({
    op: z.literal(CONFR_OP.closeConference),
    tsxId: tsxId.optional(),
    result: result.optional(),
    msg,
    sessId: sessId.optional(),
    endReason: z.number().int().optional(),
  }),
  z.object({ op: z.literal(CONFR_OP.memberEntered), ...event, mem: confrMemberSchema }),
  /** Also sent about the receiving member itself when it was kicked (12), replaced (10) or lost. */
  z.object({ op: z.literal(CONFR_OP.memberExited), ...event, memId, endReason: z.number().int() }),
  z.object({ op: z.literal(CONFR_OP.streamAdded), ...event, stream: confrStreamSchema }),
  z.object({ op: z.literal(CONFR_OP.streamRemoved), ...event, streamId, memId }),
  z.object({ op: z.literal(CONFR_OP.members), ...event, mems: z.array(confrMemberSchema) }),
  z.object({
    op: z.literal(CONFR_OP.attributes),
    ...event,
    cattrs: z.array(confrAttrSchema),
    cstate: confrStateSchema,
  }),
  /** The member's role, and whether an admin muted it. Only the member itself gets roleToken. */
  z.object({
    op: z.literal(CONFR_OP.role),
    ...event,
    memId,
    role: confrRoleSchema,
    roleToken: z.string().optional(),
    /** Left out: unchanged. */
    muted: z.boolean().optional(),
  }),
  z.object({ op: z.literal(CONFR_OP.admins), ...event, memIds: z.array(memId) }),
  z.object({ op: z.literal(CONFR_OP.liveConfigs), ...event, liveCfgs: z.array(z.unknown()) }),
  /** With `from`: a request of another member, to be answered by op 1001 with this tsxId. Without: the server's refusal. */
  z.object({
    op: z.literal(CONFR_OP.controlRequest),
    tsxId,
    sessId: sessId.optional(),
    from: memId.optional(),
    arg: controlArgSchema.optional(),
    result: result.optional(),
    msg,
  }),
  /** With `from`: another member's answer to the own request tsxId. */
  z.object({
    op: z.literal(CONFR_OP.controlResponse),
    tsxId,
    sessId: sessId.optional(),
    from: memId.optional(),
    result,
    arg: controlArgSchema.optional(),
  }),
  z.object({
    op: z.literal(CONFR_OP.message),
    tsxId: tsxId.optional(),
    result: result.optional(),
    msg,
    sessId: sessId.optional(),
    from: memId.optional(),
    id: z.string().optional(),
    text: z.string().optional(),
    /** ms since the epoch */
    at: z.number().optional(),
    to: memId.optional(),
  }),
  /** The server could not read a frame. */
  z.object({ op: z.literal(CONFR_OP.error), tsxId: tsxId.optional(), result, msg: z.string() }),
]);
export type ConfrServerSignal = z.infer<typeof confrServerSchema>;

/** Conferencing facts: defaults of createConference. */
export const CONFR_LIMITS = {
  maxTalkerCount: 100,
  maxAudienceCount: 600,
  maxVideoCount: 9,
  maxPubDesktopCount: 2,
} as const;

/** Sizes and rates of this socket. They are high because a client that joins a full conference subscribes to every stream at once. */
export const CONFR_SOCKET_LIMITS = {
  ...SIGNALLING_LIMITS,
  framesPerSecond: 100,
  burst: 1000,
} as const;
