/**
 * The signalling websocket of a conference (conferencing spec §7): JSON messages with op codes. A request bears `tsxId`; its
 * answer is the same op with the same tsxId and a `result`. What changes the conference raises `cver` by one and is told to all;
 * who finds a gap asks for a copy (op 1000). Calls of two have a socket of their own, see signalling.ts.
 */
import { z } from "../zod.ts";
import { rtcCfgSchema, ticketSchema } from "./rest/rtc.ts";
import { candidateSchema, SIGNALLING_LIMITS } from "./signalling.ts";

export const CONFR_PATH = "/conference";

export const CONFR_OP = {
  error: 0,
  ping: 100,
  pong: 101,
  /** Client: publish, the offer. */
  publish: 102,
  candidates: 105,
  /** Client: answer to the offer of a subscription. */
  answer: 106,
  /** Both ways: a connection (rtcId) ends; from the server with an end reason. */
  terminate: 107,
  enter: 200,
  leave: 201,
  /** Client: disband; server: the conference is over. */
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

/** End reasons of a connection (op 107) and of a membership beyond END_REASON (conferencing spec §4). */
export const CONFR_END = {
  switchCodec: 21,
  codecUnsupported: 22,
  tooManyVideos: 23,
  tooManyDesktops: 24,
  /** Kicked by an admin. */
  kicked: 12,
  /** The media node has lost the connection: build it anew. */
  nodeGone: 25,
} as const;

/** Result codes beyond RESULT (conferencing spec §8). */
export const CONFR_RESULT = {
  controlRejected: -402,
  controlBusy: -403,
  grantTalkerFailed: -523,
  wrongPassword: -502,
  full: -504,
  /** The media part cannot be had now; try again. */
  mediaUnavailable: -508,
} as const;

/** Codes in an `arg` (op2, conferencing spec §9). */
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
/** What a browser receives and sends, best first. */
export const videoCodecsSchema = z.object({
  receive: z.array(videoCodecSchema).max(4),
  send: z.array(videoCodecSchema).max(4),
});
export type VideoCodecs = z.infer<typeof videoCodecsSchema>;
/** Layer of a simulcast video that a subscriber gets; none: no video for now, the connection stays. */
export const layerSchema = z.enum(["none", "low", "high"]);
export type Layer = z.infer<typeof layerSchema>;

export const confrMemberSchema = z.object({
  memId,
  /** Chat user name. */
  memName: z.string().max(64),
  nickName: z.string().max(64).default(""),
  role: confrRoleSchema,
  ext: ext.default(""),
  /** Ops it takes from others (conferencing spec §3), e.g. 1002, 1003, 100201. */
  acptOps: z.array(z.number().int()).max(64).default([]),
  vcodes: z.array(videoCodecSchema).max(4).default([]),
  /** An admin has silenced this person. */
  muted: z.boolean().optional(),
});
export type ConfrMember = z.infer<typeof confrMemberSchema>;

/** A stream as all see it. */
export const confrStreamSchema = z.object({
  id: streamId,
  memId,
  type: streamTypeSchema,
  /** Connection that carries it to the node. */
  rtcId,
  voff: flag,
  aoff: flag,
  hasVideo: z.boolean(),
  hasAudio: z.boolean(),
  /** Raised when it is published anew: subscribers subscribe anew. */
  sver: z.number().int(),
  vcodec: videoCodecSchema.nullable(),
  /** Layers there are to choose from. */
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

/** The conference whole, as an enter or a copy gives it. */
const snapshot = {
  mems: z.array(confrMemberSchema),
  streams: z.array(confrStreamSchema),
  cver,
  cattrs: z.array(confrAttrSchema),
  cstate: confrStateSchema,
};

/** What goes from member to member (ops 1001, 1002); the server relays it and looks at op2 alone. */
export const controlArgSchema = z.looseObject({ op2: z.number().int() });

/** What a client wants to publish. */
export const pubSchema = z.object({
  /** Given: published anew (camera switched, rebuilt, another tab); else a new stream. */
  id: streamId.optional(),
  type: streamTypeSchema,
  voff: flag.default(0),
  aoff: flag.default(0),
  /** Preference, best first. */
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
    /** Of the session to resume after a lost socket. */
    sessId: sessId.optional(),
    /** The last cver that this client has applied. */
    cver: cver.optional(),
  }),
  z.object({ op: z.literal(CONFR_OP.ping), ...request }),
  /**
   * The offer of a publisher: at most one audio section, then at most two video sections, the first high, the second low; each
   * names its SSRCs. The same rtcId again is an ICE restart, refused with notAllowed by a node that cannot.
   */
  z.object({ op: z.literal(CONFR_OP.publish), ...request, rtcId, sdp, pubS: pubSchema }),
  /** The same rtcId again changes what is sent without a new offer; with restart, a new offer comes (or notAllowed). */
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
  /** Of an own stream: unpublish. Of a subscription: as unsubscribe. */
  z.object({ op: z.literal(CONFR_OP.terminate), ...request, rtcId, reason: z.number().int() }),
  z.object({ op: z.literal(CONFR_OP.streamControl), ...request, rtcId, voff: flag, aoff: flag }),
  z.object({ op: z.literal(CONFR_OP.record), ...request, rtcId, flag }),
  z.object({ op: z.literal(CONFR_OP.controlRequest), ...request, memId, arg: controlArgSchema }),
  /** tsxId is the one of the request that it answers. */
  z.object({
    op: z.literal(CONFR_OP.controlResponse),
    ...request,
    memId,
    result,
    arg: controlArgSchema,
  }),
  /** In-call text; to all when `to` is left out. */
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
/** Answers have tsxId and result; events have neither but for the relayed ones. */
export const confrServerSchema = z.union([
  z.object({
    op: z.literal(CONFR_OP.enter),
    ...answer,
    memId: memId.optional(),
    role: confrRoleSchema.optional(),
    roleToken: z.string().optional(),
    ...z.object(snapshot).partial().shape,
    yourIp: z.string().optional(),
    /** For who entered by a ticket from elsewhere, and has no other answer that bears it. */
    rtcCfg: rtcCfgSchema.optional(),
    /** The session named in the request was found and goes on, its streams and connections too. */
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
  /** sdp: the node's offer, answered by op 106; left out when nothing had to be negotiated. */
  z.object({
    op: z.literal(CONFR_OP.subscribe),
    ...answer,
    rtcId,
    sdp: sdp.optional(),
    /** Of a refusal: codecUnsupported. */
    endReason: z.number().int().optional(),
  }),
  z.object({ op: z.literal(CONFR_OP.unsubscribe), ...answer }),
  z.object({ op: z.literal(CONFR_OP.answer), ...answer }),
  /** tsxId: answer; else candidates of the node. */
  z.object({
    op: z.literal(CONFR_OP.candidates),
    tsxId: tsxId.optional(),
    result: result.optional(),
    sessId: sessId.optional(),
    rtcId: rtcId.optional(),
    cands: z.array(candidateSchema).optional(),
  }),
  /** tsxId: answer; else the connection is to be closed. 21 and 25: build it anew. */
  z.object({
    op: z.literal(CONFR_OP.terminate),
    tsxId: tsxId.optional(),
    result: result.optional(),
    sessId: sessId.optional(),
    rtcId: rtcId.optional(),
    endReason: z.number().int().optional(),
    /** Of 21: codecs from now on, best first. */
    vcodes: z.array(videoCodecSchema).optional(),
  }),
  z.object({
    op: z.literal(CONFR_OP.streamControl),
    tsxId: tsxId.optional(),
    result: result.optional(),
    msg,
    /** Of a refusal: tooManyVideos. */
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
  /** About oneself as well, when one was kicked (12), replaced (10) or lost. */
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
  /** The role, and whether an admin silenced the member. roleToken: to the member itself alone. */
  z.object({
    op: z.literal(CONFR_OP.role),
    ...event,
    memId,
    role: confrRoleSchema,
    roleToken: z.string().optional(),
    /** Left out: as it was. */
    muted: z.boolean().optional(),
  }),
  z.object({ op: z.literal(CONFR_OP.admins), ...event, memIds: z.array(memId) }),
  z.object({ op: z.literal(CONFR_OP.liveConfigs), ...event, liveCfgs: z.array(z.unknown()) }),
  /** With `from`: a request to answer by op 1001 with this tsxId. Without: refused by the server. */
  z.object({
    op: z.literal(CONFR_OP.controlRequest),
    tsxId,
    sessId: sessId.optional(),
    from: memId.optional(),
    arg: controlArgSchema.optional(),
    result: result.optional(),
    msg,
  }),
  /** With `from`: the answer of another member to the own request tsxId. */
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
  /** A frame that the server could not read. */
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

/** Sizes and rates of this socket: whoever comes late to a full conference subscribes to all of it at once. */
export const CONFR_SOCKET_LIMITS = {
  ...SIGNALLING_LIMITS,
  framesPerSecond: 100,
  burst: 1000,
} as const;
