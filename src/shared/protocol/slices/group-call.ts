import { z } from "../../zod.ts";
import { GROUP_CALL_STATES } from "../../domain/group-call.ts";
import { callMediaSchema } from "../call-message.ts";

/** A group call, beside the conference that carries it (docs/calls.md#group-calls). */
export const groupCallSliceSchema = z.object({
  status: z.enum(GROUP_CALL_STATES),
  info: z
    .object({
      /** The conference's id; "" until the server has made it. */
      channel: z.string(),
      callId: z.string(),
      media: callMediaSchema,
      /** The chat group that calls; null: people were chosen. */
      groupId: z.string().nullable(),
      /** The person who started the ring: another person, or this one. */
      fromUser: z.string(),
      fromName: z.string(),
    })
    .nullable(),
  /** ms since the epoch when this person was inside. */
  startedAt: z.number().nullable(),
  /** When the running answer or confirm timeout ends, ms since the epoch. */
  deadline: z.number().nullable(),
  /** The tab of the click; it shows the call's window large. */
  gestureTab: z.string().nullable(),
  /** The tab that shows the system's notification of a ring. */
  ringTab: z.string().nullable(),
});
export type GroupCallSlice = z.infer<typeof groupCallSliceSchema>;
