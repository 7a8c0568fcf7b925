/** What the two sides of a call say to each other while it becomes a group call (docs/calls.md#adding-people), inside a relay (op 420). */
import { z } from "../zod.ts";

export const growthMessageSchema = z.discriminatedUnion("step", [
  /** May this call become a group call? A client that does not know the message does not answer. */
  z.object({ step: z.literal("ask") }),
  z.object({ step: z.literal("agree") }),
  z.object({ step: z.literal("refuse") }),
  /** The conference to enter. */
  z.object({
    step: z.literal("room"),
    channel: z.string().min(1).max(64),
    callId: z.string().min(1).max(64),
  }),
  /** The sender has sound and picture by way of the conference. */
  z.object({ step: z.literal("up") }),
  /** The sender gives up; the call of two goes on. */
  z.object({ step: z.literal("stop") }),
]);
export type GrowthMessage = z.infer<typeof growthMessageSchema>;
