/**
 * The signalling WebSocket of a conference: JSON messages with op codes. A request has a `tsxId`; its answer is op 1001 with the same
 * tsxId, the sessId and a `result`. Each change of the conference raises `cver` by one and goes to all members; a client that finds a gap
 * requests a copy (op 1000, docs/conferences.md#version). One-to-one calls use a different socket (signalling.ts).
 */
import { z } from "../zod.ts";
import {
  confrAttrSchema,
  confrRoleSchema,
  confrStateSchema,
  confrStreamSchema,
  extSchema,
  flagSchema,
  layerSchema,
  videoCodecSchema,
} from "./confr-model.ts";
import { annotatedFields, annotateFields, annotationAnswer } from "./confr-annotations.ts";
import { MESSAGE_LENGTH } from "./confr-codes.ts";
import {
  answerArg,
  arg,
  cands,
  cctx,
  cver,
  exitReason,
  memId,
  pubSchema,
  resSchema,
  result,
  rtcId,
  sdp,
  sessId,
  snapshot,
  streamId,
  tsxId,
  wireMemberSchema,
} from "./confr-parts.ts";
import { idSchema } from "./rest/entities.ts";
import { rtcCfgSchema, ticketSchema } from "./rest/rtc.ts";
import { answerHead, OP } from "./signalling.ts";

export * from "./confr-codes.ts";
export {
  type MediaDescription,
  type ControlArg,
  memberOf,
  pubSchema,
  readArg,
  readCandidates,
  readDescription,
  toWire,
  type WireMember,
  wireMemberSchema,
  writeCandidates,
  writeDescription,
} from "./confr-parts.ts";

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
    ext: extSchema.default(""),
    res: resSchema.default({ ops: [], vcodes: [] }),
    /** The session to resume after a lost socket. */
    sessId: sessId.optional(),
    /** The last cver that this client applied. */
    cver: cver.optional(),
    /** All three: publish on entering, as op 102 does. The answer has the stream's id. */
    rtcId: rtcId.optional(),
    sdp: sdp.optional(),
    pubS: pubSchema.optional(),
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
  z.object({
    op: z.literal(OP.streamControl),
    ...request,
    rtcId,
    voff: flagSchema,
    aoff: flagSchema,
  }),
  z.object({ op: z.literal(OP.record), ...request, rtcId, flag: flagSchema }),
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
    /** Sent to the receivers, so that both sides know the text by the same id. */
    id: z.string().min(1).max(64).optional(),
  }),
  /** Without `memIds`, the own hand; with them, an admin lowers the hands of these members. */
  z.object({
    op: z.literal(OP.hand),
    ...request,
    up: z.boolean(),
    memIds: z.array(memId).min(1).max(1000).optional(),
  }),
  /** Changes of the marks over a stream. */
  z.object({ op: z.literal(OP.annotate), ...request, ...annotateFields }),
  /** `annotations`: with the marks over all streams, which a client needs after a gap in op 312. */
  z.object({ op: z.literal(OP.copy), ...request, annotations: z.literal(true).optional() }),
  z.object({ op: z.literal(OP.leave), ...request }),
  /** `reason` is 11 in the specification. The server ends the conference whatever stands there. */
  z.object({
    op: z.literal(OP.closeConference),
    ...request,
    reason: z.number().int().optional(),
  }),
]);
export type ConferenceClientSignal = z.infer<typeof confrClientSchema>;

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
  /** Publish and subscribe; enter with `pubS`. */
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
  ...annotationAnswer,
};

const event = { sessId, cver };
/** The answer to any request, and events. */
export const confrServerSchema = z.union([
  z.object({ ...answerHead, ...answerFields }),
  z.object({ op: z.literal(OP.pong), tsxId, sessId, cver }),
  /** Of other servers; to be answered by a pong. */
  z.object({ op: z.literal(OP.ping), tsxId: tsxId.optional(), sessId }),
  /** Of other servers, and without effect here. */
  z.object({ op: z.literal(OP.requested), sessId }),
  z.object({ op: z.literal(OP.joined), sessId, cver: cver.optional() }),
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
  z.object({
    op: z.literal(OP.streamControl),
    ...event,
    streamId,
    memId,
    voff: flagSchema,
    aoff: flagSchema,
  }),
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
  /** Changes of the marks over a stream, in the server's order. Only members that declare the op receive them. */
  z.object({ op: z.literal(OP.annotate), sessId, ...annotatedFields }),
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
export type ConferenceServerSignal = z.infer<typeof confrServerSchema>;
export type ConferenceAnswer = Extract<ConferenceServerSignal, { op: typeof OP.response }>;
