/**
 * The signalling WebSocket of a conference: JSON messages with op codes. A request has a `tsxId`; its answer is op 1001 with the same
 * tsxId, the sessId and a `result`. Each change of the conference raises `cver` by one and goes to all members; a client that finds a gap
 * requests a copy (op 1000, docs/conferences.md#version). One-to-one calls use a different socket (signalling.ts).
 */
import { z } from "../zod.ts";
import { CONFR_ROLE, STREAM_TYPE } from "../domain/conference-types.ts";
import { idSchema } from "./rest/entities.ts";
import { rtcCfgSchema, ticketSchema } from "./rest/rtc.ts";
import { answerHead, type Candidate, OP, SIGNALLING_LIMITS } from "./signalling.ts";

export const CONFR_PATH = "/conference";

/** End reasons of a connection (op 107) and of a membership, beyond END_REASON (docs/conferences.md#end-reasons). */
export const CONFR_END = {
  switchCodec: 21,
  codecUnsupported: 22,
  tooManyVideos: 23,
  tooManyDesktops: 24,
  /** Kicked by an admin. */
  kicked: 12,
} as const;

/** Result codes beyond RESULT (docs/conferences.md#results). */
export const CONFR_RESULT = {
  controlRejected: -402,
  controlBusy: -403,
  grantTalkerFailed: -523,
  wrongPassword: -502,
  full: -504,
  /** The media node is not available now; the client may try again. Any of -500 to -510 that an enter can get would end the membership. */
  mediaUnavailable: -503,
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

/** What a member must declare (`res.ops`) to be sent a request of op2 20, by the fields that the request has, or of op2 30. */
export const REQUIRED_OPS = {
  zoom: 100201,
  focus: 100202,
  expo: 100203,
  frz: 100204,
  pic: 100205,
  tor: 100206,
  panel: 100230,
} as const;

/** The longest text of op 1003. The console's own are shorter. */
export const MESSAGE_LENGTH = 16_000;

const tsxId = z.string().min(1).max(64);
const sessId = z.string().min(1).max(64);
const rtcId = z.string().min(1).max(64);
const memId = z.string().min(1).max(64);
const streamId = z.string().min(1).max(64);
const cctx = z.string().max(64).optional();
const flag = z.union([z.literal(0), z.literal(1)]);
const ext = z.string().max(4096);
const result = z.number().int();
/** END_REASON, or CONFR_END.kicked. */
const exitReason = z.number().int();
const cver = z.number().int().nonnegative();

const textOf = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
};
const descriptionSchema = z.object({
  type: z.enum(["OFFER", "ANSWER"]),
  sdp: z.string().min(1).max(200_000),
});
export type ConfrDescription = z.infer<typeof descriptionSchema>;
/** @returns null for a text that is not the JSON of a description */
export const readDescription = (text: string): ConfrDescription | null =>
  descriptionSchema.safeParse(textOf(text)).data ?? null;
export const writeDescription = (description: ConfrDescription): string =>
  JSON.stringify(description);
/** A session description as a JSON text. */
const sdp = z
  .string()
  .max(400_000)
  .refine((text) => readDescription(text) !== null, "not JSON of a description");

const wireCandidateSchema = z.object({
  candidate: z.string().max(2000),
  mid: z.string().max(64).nullish(),
  mlineindex: z.number().int().min(0).max(64).nullish(),
});
/** @returns the candidates; a text that is none is left out */
export const readCandidates = (texts: readonly string[]): Candidate[] =>
  texts.flatMap((text) => {
    const { data } = wireCandidateSchema.safeParse(textOf(text));
    if (data === undefined) return [];
    const { candidate, mid = null, mlineindex = null } = data;
    return [{ candidate, sdpMid: mid, sdpMLineIndex: mlineindex }];
  });
export const writeCandidates = (cands: readonly Candidate[]): string[] =>
  cands.map(({ candidate, sdpMid = null, sdpMLineIndex = null }) =>
    JSON.stringify({ type: "candidate", candidate, mlineindex: sdpMLineIndex, mid: sdpMid }),
  );
/** Each candidate is a JSON text. */
const cands = z.array(z.string().max(3000)).max(100);

export const confrRoleSchema = z.union([
  z.literal(CONFR_ROLE.admin),
  z.literal(CONFR_ROLE.talker),
  z.literal(CONFR_ROLE.audience),
]);
export type ConfrRole = z.infer<typeof confrRoleSchema>;
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

/** A member as the server, the core and the tabs hold it. */
export const confrMemberSchema = z.object({
  memId,
  /** Chat user name. */
  memName: z.string().max(64),
  nickName: z.string().max(64).default(""),
  role: confrRoleSchema,
  ext: ext.default(""),
  /** Ops that the member accepts from others, such as 1003 or one of REQUIRED_OPS. */
  acptOps: z.array(z.number().int()).max(64).default([]),
  vcodes: z.array(videoCodecSchema).max(4).default([]),
  /** An admin has muted this member. */
  muted: z.boolean().optional(),
});
export type ConfrMember = z.infer<typeof confrMemberSchema>;

/** A client may name more codecs than the media node knows. */
const knownCodecs = z
  .array(z.string().max(32))
  .max(16)
  .transform((all) => all.filter((one) => videoCodecSchema.safeParse(one).success) as VideoCodec[]);
/** What a client can do: the ops that it accepts from other members, and the codecs that it decodes; none named means all. */
const resSchema = z.object({
  ops: z.array(z.number().int()).max(64).default([]),
  vcodes: knownCodecs.default([]),
});
/** A member on the wire. Our own beside the specification's fields: `muted`. */
export const wireMemberSchema = z.object({
  id: memId,
  name: z.string().max(64),
  nickName: z.string().max(64).default(""),
  role: confrRoleSchema,
  ext: ext.default(""),
  /** The same as in `res`: clients read either. */
  vcodes: knownCodecs.default([]),
  res: resSchema.default({ ops: [], vcodes: [] }),
  muted: z.boolean().optional(),
});
export type WireMember = z.infer<typeof wireMemberSchema>;

export function toWire({ memId: id, memName: name, acptOps, vcodes, ...rest }: ConfrMember) {
  return { id, name, ...rest, vcodes, res: { ops: acptOps, vcodes } } satisfies WireMember;
}
export function memberOf({ id, name, res, vcodes, ...rest }: WireMember): ConfrMember {
  const codecs = res.vcodes.length > 0 ? res.vcodes : vcodes;
  return { memId: id, memName: name, ...rest, acptOps: res.ops, vcodes: codecs };
}

/** A stream as every member sees it. */
export const confrStreamSchema = z.object({
  id: streamId,
  memId,
  type: streamTypeSchema,
  voff: flag,
  aoff: flag,
  hasVideo: z.boolean(),
  hasAudio: z.boolean(),
  /** Raised when the stream is published again; subscribers must then subscribe again. */
  sver: z.number().int(),
  /** What is sent: one codec, or none without video. */
  vcodes: z.array(videoCodecSchema),
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
  mems: z.array(wireMemberSchema),
  streams: z.array(confrStreamSchema),
  cver,
  cattrs: z.array(confrAttrSchema),
  cstate: confrStateSchema,
};

const controlArgSchema = z.looseObject({ op2: z.number().int().optional() });
export type ControlArg = z.infer<typeof controlArgSchema>;
/** @returns null for a text that is not JSON of an object */
export function readArg(text: string): ControlArg | null {
  try {
    return controlArgSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
/** Content of a message between two members (ops 1001, 1002): a JSON text. The server forwards it unchanged. */
const argUpTo = (length: number) =>
  z
    .string()
    .max(length)
    .refine((text) => readArg(text) !== null, "not JSON of an object");
const arg = argUpTo(200_000);
/** The answer to a capture is a picture in base64. */
const answerArg = argUpTo(2_000_000);

/** What a client wants to publish. */
export const pubSchema = z.object({
  /** Set to publish an existing stream again (camera switched, connection rebuilt, another tab); left out for a new stream. */
  id: streamId.optional(),
  type: streamTypeSchema,
  voff: flag.default(0),
  aoff: flag.default(0),
  /** Codecs in order of preference, best first. */
  vcodes: z
    .array(z.string().max(32))
    .max(16)
    .default(["VP8", "H264"])
    // A client may know more codecs than the media nodes do.
    .transform((names) =>
      videoCodecSchema.options
        .filter((codec) => names.includes(codec))
        .sort((a, b) => names.indexOf(a) - names.indexOf(b)),
    ),
  resolution: z.object({ w: z.number().int(), h: z.number().int() }).nullable().default(null),
  ext: ext.default(""),
});

const request = { tsxId, sessId };
export const confrClientSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal(OP.enter),
    tsxId,
    /** The specification names it both ways; our own client sends `tkt`. */
    tkt: ticketSchema.optional(),
    ticket: ticketSchema.optional(),
    nickName: z
      .string()
      .max(256)
      .transform((name) => name.slice(0, 64))
      .default(""),
    resource: z.string().max(128).default(""),
    ext: ext.default(""),
    res: resSchema.default({ ops: [], vcodes: [] }),
    /** The session to resume after a lost socket. */
    sessId: sessId.optional(),
    /** The last cver that this client applied. */
    cver: cver.optional(),
  }),
  z.object({ op: z.literal(OP.ping), ...request }),
  /**
   * An offer. With `pubS` it publishes: at most one audio section and at most two of video, the high layer before the low one. With
   * `subSId` it subscribes. Each section that sends names its SSRCs. The same rtcId again with the same certificate is an ICE restart; with
   * another certificate it replaces the connection. The answer has no description: that follows as event 106.
   */
  z.object({
    op: z.literal(OP.offer),
    ...request,
    rtcId,
    sdp,
    pubS: pubSchema.optional(),
    subSId: streamId.optional(),
    /** Left out: yes. */
    subSVideo: z.boolean().optional(),
    subSAudio: z.boolean().optional(),
    /** Left out: high. */
    layer: layerSchema.optional(),
    /** Names the client's connection object; the events about it carry it back. */
    cctx,
  }),
  /** Changes what an existing subscription is sent, without an offer. */
  z.object({
    op: z.literal(OP.subscribe),
    ...request,
    rtcId,
    subSId: streamId,
    subSVideo: z.boolean(),
    subSAudio: z.boolean(),
    /** Left out: as before. */
    layer: layerSchema.optional(),
  }),
  z.object({ op: z.literal(OP.unsubscribe), ...request, rtcId, subSId: streamId }),
  /** The answer to an offer of the media node, which came as event 106. */
  z.object({ op: z.literal(OP.answer), ...request, rtcId, sdp }),
  z.object({ op: z.literal(OP.candidates), ...request, rtcId, cands, cctx }),
  /**
   * The end of a connection. For a subscription: the same as unsubscribe. For an own stream: unpublish; without an end reason the stream
   * stays listed for a moment, because the client may be about to publish it again; with -10 longer, because it is about to.
   */
  z.object({
    op: z.literal(OP.terminate),
    ...request,
    rtcId,
    endReason: z.number().int().optional(),
    reason: z.number().int().optional(),
    /** An own stream whose connection the client does not know. */
    pubSId: streamId.optional(),
  }),
  z.object({ op: z.literal(OP.streamControl), ...request, rtcId, voff: flag, aoff: flag }),
  z.object({ op: z.literal(OP.record), ...request, rtcId, flag }),
  z.object({ op: z.literal(OP.controlRequest), ...request, memId, arg }),
  /** `tsxId` is that of the answered request. */
  z.object({
    op: z.literal(OP.response),
    ...request,
    memId,
    result,
    arg: answerArg,
  }),
  /** A text; without `memId` it goes to all members. What it means is the application's business. */
  z.object({
    op: z.literal(OP.message),
    ...request,
    memId: memId.optional(),
    arg: z.string().min(1).max(MESSAGE_LENGTH),
    /** Told to the receivers, so that both sides know the text by the same id. */
    id: z.string().min(1).max(64).optional(),
  }),
  z.object({ op: z.literal(OP.copy), ...request }),
  z.object({ op: z.literal(OP.leave), ...request }),
  z.object({ op: z.literal(OP.closeConference), ...request }),
]);
export type ConfrClientSignal = z.infer<typeof confrClientSchema>;

/** The fields of an answer, by the request that it answers. A refusal has none but those marked. */
const answerFields = {
  /** Enter; also who answers, when a member does and not the server. */
  memId: memId.optional(),
  /** Enter. */
  role: confrRoleSchema.optional(),
  roleToken: z.string().optional(),
  /** The codecs of the conference, best first. */
  vcodes: z.array(videoCodecSchema).optional(),
  yourIp: z.string().optional(),
  /** Sent to clients that entered with a ticket from another system, which have no other way to get it. */
  rtcCfg: rtcCfgSchema.optional(),
  /** The session named in the request was found and continues with its streams and connections. */
  resumed: z.boolean().optional(),
  /** Enter and copy. */
  ...z.object(snapshot).partial().shape,
  /** Publish, subscribe, candidates and the end of a connection; refusals as well. */
  rtcId: rtcId.optional(),
  /** Publish and subscribe. */
  streamId: streamId.optional(),
  /** Publish: the stream as the others see it, in version `cver`. Its publisher gets no event 302. */
  stream: confrStreamSchema.optional(),
  /** Unpublish: the stream that is gone in version `cver`. Its publisher gets no event 303. */
  pubSId: streamId.optional(),
  /** Only refusals of publish, subscribe and streamControl: CONFR_END. */
  endReason: z.number().int().optional(),
  /** Text. */
  id: z.string().optional(),
  /** ms since the epoch */
  at: z.number().optional(),
  /** The answer of a member to op 1002. */
  arg: answerArg.optional(),
};

const event = { sessId, cver };
/** The answer to any request, and events. */
export const confrServerSchema = z.union([
  z.object({ ...answerHead, ...answerFields }),
  z.object({ op: z.literal(OP.pong), tsxId, sessId, cver }),
  /** The media node's description: the answer to op 102, or an offer in its place, to be answered by op 106. */
  z.object({ op: z.literal(OP.answer), sessId, rtcId, sdp, cctx }),
  /** Candidates of the media node. */
  z.object({ op: z.literal(OP.candidates), sessId, rtcId, cands, cctx }),
  /** The client must close the connection, and build a new one for reason 21. */
  z.object({
    op: z.literal(OP.terminate),
    sessId,
    rtcId,
    endReason: z.number().int(),
    /** With reason 21: the codecs to use from now on, best first. */
    useVCodes: z.array(videoCodecSchema).optional(),
    /** With reason 21: only the media node lost the connection; the codecs need not change. */
    lost: z.literal(true).optional(),
    /** The server has removed this own stream, in version `cver`. */
    pubSId: streamId.optional(),
    cver: cver.optional(),
  }),
  z.object({ op: z.literal(OP.streamControl), ...event, streamId, memId, voff: flag, aoff: flag }),
  /** The conference is over. Before it, each member gets op 301 about itself, with the same reason. */
  z.object({ op: z.literal(OP.closeConference), sessId, confrId: idSchema, reason: exitReason }),
  z.object({ op: z.literal(OP.memberEntered), ...event, mem: wireMemberSchema }),
  /** Also sent about the receiving member itself when it was kicked (12), replaced (10), lost, or the conference ended (11). */
  z.object({ op: z.literal(OP.memberExited), ...event, memId, reason: exitReason }),
  /** Published or, with a higher sver, published again. Not sent to the publisher, and neither is 303. */
  z.object({ op: z.literal(OP.streamAdded), ...event, memId, pubS: confrStreamSchema }),
  z.object({ op: z.literal(OP.streamRemoved), ...event, memId, pubSId: streamId }),
  z.object({ op: z.literal(OP.members), ...event, mems: z.array(wireMemberSchema) }),
  z.object({
    op: z.literal(OP.attributes),
    ...event,
    cattrs: z.array(confrAttrSchema),
    cstate: confrStateSchema,
  }),
  /** The role of the member that receives this event. It has no version. All members receive op 310, which has one. */
  z.object({
    op: z.literal(OP.role),
    sessId,
    role: confrRoleSchema,
    roleToken: z.string().optional(),
  }),
  /** A member's role changed, or whether an admin muted it. */
  z.object({ op: z.literal(OP.memberChanged), ...event, mem: wireMemberSchema }),
  z.object({ op: z.literal(OP.admins), ...event, memIds: z.array(memId) }),
  z.object({ op: z.literal(OP.liveConfigs), ...event, liveCfgs: z.array(z.unknown()) }),
  /** A request of the member memId, to be answered by op 1001 with this tsxId. */
  z.object({ op: z.literal(OP.controlRequest), tsxId, sessId, memId, arg }),
  /** A text of the member memId. */
  z.object({
    op: z.literal(OP.message),
    sessId,
    memId,
    arg: z.string(),
    id: z.string().optional(),
    /** ms since the epoch */
    at: z.number(),
    /** Set when it went to this member alone. */
    to: memId.optional(),
  }),
]);
export type ConfrServerSignal = z.infer<typeof confrServerSchema>;
export type ConfrAnswer = Extract<ConfrServerSignal, { op: typeof OP.response }>;

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
  /** Room for a picture in the answer to a capture (op 1001); every other field has its own, lower limit. */
  frameBytes: 2 * 1024 * 1024,
  framesPerSecond: 100,
  burst: 1000,
} as const;
