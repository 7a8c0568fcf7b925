/** A call of two goes on on another device of one of its people (docs/calls.md#to-another-device). */
import { z } from "../zod.ts";
import { callMediaSchema } from "./call-message.ts";
import { idSchema } from "./rest/entities.ts";

const ms = z.number().int().min(0);

/**
 * The call as its present device describes it to the device that takes over. Times are given as elapsed ms, because the clocks of the two
 * devices may differ.
 */
export const movedCallSchema = z.object({
  callId: idSchema,
  media: callMediaSchema,
  /** The other side's device. */
  peerDevice: z.string().max(128),
  /** Since the person dialled or the ring came. */
  began: ms,
  /** Since the call is on. */
  on: ms,
  audioMuted: z.boolean(),
  videoOff: z.boolean(),
});
export type MovedCall = z.infer<typeof movedCallSchema>;

const call = z.object({ step: z.literal("call"), call: movedCallSchema });
const refuse = z.object({ step: z.literal("refuse") });

/** `call` and `refuse` come from the device that has the call, `take` from the one to which it goes. */
export const moveRequestSchema = z.discriminatedUnion("step", [
  call,
  refuse,
  z.object({ step: z.literal("take") }),
]);
export type MoveRequest = z.infer<typeof moveRequestSchema>;

export const moveNewsSchema = z.discriminatedUnion("step", [
  /** To the device that has the call: another one wants it. */
  z.object({ step: z.literal("ask") }),
  /** To the same: the other one has given up. `renew`: the other side may have left the standing connection. */
  z.object({ step: z.literal("drop"), renew: z.boolean() }),
  call,
  refuse,
]);
export type MoveNews = z.infer<typeof moveNewsSchema>;
