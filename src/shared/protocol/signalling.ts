/**
 * The signalling websocket (docs/calls.md#operations): JSON messages with op codes. This file holds the ops of a one-to-one call;
 * conferences add theirs beside them. A request bears `tsxId`; its answer is op 1001 with the same tsxId, the sessId and a `result`.
 */
import { z } from "../zod.ts";
import { PICTURE_LEVELS } from "../domain/picture-levels.ts";
import { growthMessageSchema } from "./call-growth.ts";
import { moveNewsSchema, moveRequestSchema } from "./call-move.ts";
import { ticketSchema } from "./rest/rtc.ts";

export const SIGNALLING_PATH = "/signalling";

/**
 * The operations of calls (docs/calls.md#operations) and of conferences (docs/conferences.md#session), by number. What an operation
 * carries depends on which of the two it serves.
 */
export const OP = {
  ping: 100,
  pong: 101,
  /** An offer: to the other side of a call, or to the media node in order to publish a stream. */
  offer: 102,
  /** Asks for a connection. Of other servers: ours and the platform's library know no use for it. */
  requested: 103,
  /** The other side has the ring, or accepts it. */
  accept: 104,
  candidates: 105,
  /** The answer to an offer. */
  answer: 106,
  /** The end of a call, or of one connection of a conference. */
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
  /** All members receive that a member's role, mute or hand changed. The member itself also receives `role`. */
  memberChanged: 310,
  /** A hand is raised or lowered. Ours. */
  hand: 311,
  /** Marks over a stream change. Ours. */
  annotate: 312,
  streamControl: 400,
  /** Somebody joined. Of other servers; `memberEntered` says who. */
  joined: 401,
  attributes: 402,
  role: 412,
  /** A call of two becomes a group call. Ours. */
  growth: 420,
  /** Sound and picture come by a new connection of a call. Ours. */
  flows: 421,
  /** A call goes on on another device of a person. Ours. */
  move: 422,
  admins: 413,
  liveConfigs: 452,
  record: 500,
  copy: 1000,
  /** The answer to a request: of the server, or of the member that op 1002 asked. */
  response: 1001,
  controlRequest: 1002,
  message: 1003,
  /** A message from one side of a call to the other. */
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

/** End reasons (docs/calls.md#end-reasons). 10 another device, 11 closed. Those below zero end no call of the other side. */
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
  /** One side has no access any more: it left the company, or its login has ended (docs/server.md#end-of-access). */
  noAccess: 13,
  /** Ends the call here, without a message. */
  local: -10,
  /** The caller makes another offer; the call goes on. */
  republish: -20,
} as const;

const tsxId = z.string().min(1).max(64);
const sessId = z.string().min(1).max(64);
const rtcId = z.string().min(1).max(64);
const memId = z.string().min(1).max(64);
const sdp = z.string().min(1).max(200_000);
/** An end reason: END_REASON, and the server's 21 to 24. */
export const endReasonSchema = z.number().int().min(-100).max(100);

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
    op: z.literal(OP.offer),
    rtcId,
    sdp,
    iceRestart: z.boolean().default(false),
  }),
  z.object({ op: z.literal(OP.answer), rtcId, sdp }),
  z.object({ op: z.literal(OP.candidates), rtcId, cands: z.array(candidateSchema).max(100) }),
  z.object({
    op: z.literal(OP.terminate),
    reason: endReasonSchema,
  }),
  /** voff/aoff: 1 is off. */
  z.object({
    op: z.literal(OP.streamControl),
    voff: z.union([z.literal(0), z.literal(1)]),
    aoff: z.union([z.literal(0), z.literal(1)]),
    /** What a weak network leaves of the sender's picture. Ours: other clients ignore it, and say nothing of theirs. */
    picture: z.enum(PICTURE_LEVELS).optional(),
  }),
  /** Asks the other side for an offer, because this side has no usable connection and, as the polite one, must not offer itself. */
  z.object({ op: z.literal(OP.ping), want: z.literal("offer") }),
  z.object({ op: z.literal(OP.growth), body: growthMessageSchema }),
  /** What the former connection brought comes by this one, and the former one is closed. A client that does not know it drops it. */
  z.object({ op: z.literal(OP.flows), rtcId }),
]);
export type PeerMessage = z.infer<typeof peerMessageSchema>;

/** Client to server. */
export const clientSignalSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal(OP.enter),
    tsxId,
    /** The specification names it both ways, and one of them must be there; our own client sends `ticket`. */
    ticket: ticketSchema.optional(),
    tkt: ticketSchema.optional(),
    nickName: z.string().max(64).default(""),
    resource: z.string().max(128).default(""),
    /** The session to resume after a lost socket. */
    sessId: sessId.optional(),
    /** Enters beside the person's device that has the call, to take it over. */
    beside: z.literal(true).optional(),
  }),
  z.object({ op: z.literal(OP.ping), tsxId, sessId }),
  z.object({ op: z.literal(OP.relay), tsxId, sessId, to: memId, body: peerMessageSchema }),
  z.object({ op: z.literal(OP.terminate), tsxId, sessId, reason: endReasonSchema }),
  z.object({ op: z.literal(OP.leave), tsxId, sessId }),
  z.object({ op: z.literal(OP.move), tsxId, sessId, move: moveRequestSchema }),
]);
export type ClientSignal = z.infer<typeof clientSignalSchema>;

/**
 * The head of every answer. `tsxId` and `sessId` are those of the request; a frame that could not be read may have had neither, and an
 * enter gets its sessId by the answer. With a `result` other than 0 nothing was changed.
 */
export const answerHead = {
  op: z.literal(OP.response),
  tsxId: tsxId.optional(),
  sessId: sessId.optional(),
  result: z.number().int(),
  msg: z.string().optional(),
};

/** The answer to a ping of either side. */
export const pongSchema = z.object({ op: z.literal(OP.pong), tsxId: tsxId.optional(), sessId });
export type Pong = z.infer<typeof pongSchema>;

/** Server to client: answers, and events. */
export const serverSignalSchema = z.discriminatedUnion("op", [
  z.object({
    ...answerHead,
    // The rest answers an enter.
    memId: memId.optional(),
    role: z.number().int().optional(),
    /** The other members. Includes members whose socket is lost but may come back; never includes the member that enters. */
    mems: z.array(memberSchema).optional(),
    yourIp: z.string().optional(),
    /** The session named in the request was found and continues. */
    resumed: z.boolean().optional(),
  }),
  z.object({ op: z.literal(OP.pong), tsxId, sessId }),
  z.object({ op: z.literal(OP.relay), sessId, from: memId, body: peerMessageSchema }),
  z.object({
    op: z.literal(OP.terminate),
    sessId,
    from: memId.optional(),
    endReason: endReasonSchema.optional(),
  }),
  z.object({ op: z.literal(OP.memberEntered), sessId, mem: memberSchema }),
  z.object({
    op: z.literal(OP.memberExited),
    sessId,
    memId,
    endReason: endReasonSchema.optional(),
  }),
  z.object({ op: z.literal(OP.move), sessId, move: moveNewsSchema }),
]);
export type ServerSignal = z.infer<typeof serverSignalSchema>;

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
