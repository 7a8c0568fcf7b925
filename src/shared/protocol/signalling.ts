/**
 * The signalling websocket (docs/calls.md#operations): JSON messages with op codes. This file holds the ops of a one-to-one call;
 * conferences add theirs beside them. A request bears `tsxId`; its answer is the same op with the same tsxId and a `result`.
 */
import { z } from "../zod.ts";
import { ticketSchema } from "./rest/rtc.ts";

export const SIGNALLING_PATH = "/signalling";

export const OP = {
  ping: 100,
  pong: 101,
  init: 102,
  candidates: 105,
  answer: 106,
  terminate: 107,
  enter: 200,
  leave: 201,
  memberEntered: 300,
  memberExited: 301,
  streamControl: 400,
  relay: 1004,
} as const;

/** docs/calls.md#result-codes */
export const RESULT = {
  ok: 0,
  clientFailure: -9527,
  reconnectFailed: -95270,
  requestTimeout: -408,
  notFound: -507,
  notAllowed: -405,
  otherDevice: -554,
  badTicket: -500,
  conferenceGone: -506,
} as const;

/** End reasons (docs/calls.md#end-reasons). 10 another device, 11 closed. */
export const END_REASON = {
  hangup: 0,
  noResponse: 1,
  reject: 2,
  busy: 3,
  fail: 4,
  unsupported: 5,
  offline: 6,
  otherDevice: 10,
  closed: 11,
} as const;

const tsxId = z.string().min(1).max(64);
const sessId = z.string().min(1).max(64);
const rtcId = z.string().min(1).max(64);
const memId = z.string().min(1).max(64);
const sdp = z.string().min(1).max(200_000);
/** An end reason: END_REASON, the server's 21 to 24, and the local -10 and -20. */
const endReason = z.number().int().min(-100).max(100);

export const candidateSchema = z.object({
  candidate: z.string().max(2000),
  sdpMid: z.string().max(64).nullable().optional(),
  sdpMLineIndex: z.number().int().min(0).max(64).nullable().optional(),
  usernameFragment: z.string().max(256).nullable().optional(),
});
export type Candidate = z.infer<typeof candidateSchema>;

export const memberSchema = z.object({
  memId,
  memName: z.string().max(64),
  nickName: z.string().max(64).default(""),
  role: z.union([z.literal(7), z.literal(3), z.literal(1)]),
});
export type Member = z.infer<typeof memberSchema>;

/** What one side of a one-to-one call sends to the other, inside a relay (op 1004). */
export const peerMessageSchema = z.discriminatedUnion("op", [
  /** Offer. A new rtcId makes a new connection; a known one with iceRestart restarts that connection. */
  z.object({
    op: z.literal(OP.init),
    rtcId,
    sdp,
    iceRestart: z.boolean().default(false),
  }),
  z.object({ op: z.literal(OP.answer), rtcId, sdp }),
  z.object({ op: z.literal(OP.candidates), rtcId, cands: z.array(candidateSchema).max(100) }),
  z.object({
    op: z.literal(OP.terminate),
    reason: endReason,
  }),
  /** voff/aoff: 1 is off. */
  z.object({
    op: z.literal(OP.streamControl),
    voff: z.union([z.literal(0), z.literal(1)]),
    aoff: z.union([z.literal(0), z.literal(1)]),
  }),
  /** Asks the other side for an offer, because this side has no usable connection and, as the polite one, must not offer itself. */
  z.object({ op: z.literal(OP.ping), want: z.literal("offer") }),
]);
export type PeerMessage = z.infer<typeof peerMessageSchema>;

/** Client to server. */
export const clientSignalSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal(OP.enter),
    tsxId,
    ticket: ticketSchema,
    nickName: z.string().max(64).default(""),
    resource: z.string().max(128).default(""),
    /** The session to resume after a lost socket. */
    sessId: sessId.optional(),
  }),
  z.object({ op: z.literal(OP.ping), tsxId, sessId }),
  z.object({ op: z.literal(OP.relay), tsxId, sessId, to: memId, body: peerMessageSchema }),
  z.object({ op: z.literal(OP.terminate), tsxId, sessId, reason: endReason }),
  z.object({ op: z.literal(OP.leave), tsxId, sessId }),
]);
export type ClientSignal = z.infer<typeof clientSignalSchema>;

/** Server to client: answers (with tsxId and result), and events. */
export const serverSignalSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal(OP.enter),
    tsxId,
    result: z.number().int(),
    msg: z.string().optional(),
    sessId: sessId.optional(),
    memId: memId.optional(),
    role: z.number().int().optional(),
    /** The other members. Includes members whose socket is lost but may come back; never includes the member that enters. */
    mems: z.array(memberSchema).optional(),
    yourIp: z.string().optional(),
    /** The session named in the request was found and continues. */
    resumed: z.boolean().optional(),
  }),
  z.object({ op: z.literal(OP.pong), tsxId, sessId }),
  z.object({
    op: z.literal(OP.relay),
    /** With tsxId: the answer to an own relay. Without: a message from another member. */
    tsxId: tsxId.optional(),
    result: z.number().int().optional(),
    msg: z.string().optional(),
    sessId,
    from: memId.optional(),
    body: peerMessageSchema.optional(),
  }),
  z.object({
    op: z.literal(OP.terminate),
    tsxId: tsxId.optional(),
    result: z.number().int().optional(),
    sessId,
    from: memId.optional(),
    endReason: endReason.optional(),
  }),
  z.object({ op: z.literal(OP.leave), tsxId, result: z.number().int(), sessId }),
  z.object({ op: z.literal(OP.memberEntered), sessId, mem: memberSchema }),
  z.object({
    op: z.literal(OP.memberExited),
    sessId,
    memId,
    endReason: endReason.optional(),
  }),
]);
export type ServerSignal = z.infer<typeof serverSignalSchema>;

/** The server could not read a frame. Nothing was stored; the socket closes after repeated bad frames. */
export const signalErrorSchema = z.object({
  op: z.literal(0),
  tsxId: tsxId.optional(),
  result: z.number().int(),
  msg: z.string(),
});

/** Close codes of the signalling and quality sockets. */
export const WS_CLOSE = {
  unauthorised: 4401,
  forbidden: 4403,
  replaced: 4409,
  badFrames: 4400,
  tooMany: 4429,
  shutdown: 1012,
  /** The server cannot serve now; another attempt may succeed. */
  tryAgain: 1013,
} as const;

/** Sizes and rates of the signalling socket. The server enforces them; the client stays below. */
export const SIGNALLING_LIMITS = {
  frameBytes: 256 * 1024,
  framesPerSecond: 50,
  burst: 200,
  badFrames: 20,
} as const;
