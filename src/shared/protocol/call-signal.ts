/**
 * The signalling of a call over the chat connection (docs/calls.md#signalling-over-chat): what one device says to another without a
 * signalling server. Command messages carry it, in parts, because chat limits the size of a message.
 */
import { z } from "../zod.ts";
import { chatUserNameSchema, idSchema } from "./rest/entities.ts";
import { endReasonSchema, OP, peerMessageSchema } from "./signalling.ts";

/** The action of the command messages. */
export const CALL_SIGNAL_ACTION = "callSignal";
/** Bytes of a text in one part. A message of the provider's chat has at most 5 KB, its names and ids included. */
export const SIGNAL_PART_BYTES = 3_000;
const MAX_PARTS = 100;

const tsxId = z.string().min(1).max(64);

const signalBodySchema = z.discriminatedUnion("op", [
  /** The sender is inside the call's session. `known`: it answers the same message of the receiver. */
  z.object({ op: z.literal(OP.enter), tsxId, known: z.boolean() }),
  z.object({ op: z.literal(OP.leave), reason: endReasonSchema }),
  /** The provisional accept: the ring has arrived on the sender's device. */
  z.object({ op: z.literal(OP.accept) }),
  z.object({ op: z.literal(OP.ping), tsxId }),
  z.object({ op: z.literal(OP.pong), tsxId }),
  z.object({ op: z.literal(OP.terminate), reason: endReasonSchema }),
  z.object({ op: z.literal(OP.relay), tsxId, body: peerMessageSchema }),
  z.object({ op: z.literal(OP.response), tsxId, result: z.number().int() }),
]);
export type SignalBody = z.infer<typeof signalBodySchema>;

export const callSignalSchema = z.object({
  callId: idSchema,
  fromUser: chatUserNameSchema,
  toUser: chatUserNameSchema,
  fromUserDevId: z.string().min(1).max(64),
  /** The one device that it is for. */
  toUserDevId: z.string().min(1).max(64),
  body: signalBodySchema,
});
export type CallSignal = z.infer<typeof callSignalSchema>;

/** The ext of one command message. The texts of all parts are the JSON of the signal, in ASCII. */
export const signalPartSchema = z.object({
  signalId: z.string().min(1).max(64),
  /** From 0. */
  part: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_PARTS - 1),
  parts: z.coerce.number().int().min(1).max(MAX_PARTS),
  text: z.string().max(SIGNAL_PART_BYTES),
});
export type SignalPart = z.infer<typeof signalPartSchema>;

/** What a session asks of a transport that has no server: the fields that decide what happens to the request. */
export const hostedRequestSchema = z.object({
  op: z.number().int(),
  tsxId,
  /** Of an enter: the session to resume. */
  sessId: z.string().optional(),
  reason: endReasonSchema.optional(),
  body: peerMessageSchema.optional(),
});
export type HostedRequest = z.infer<typeof hostedRequestSchema>;
