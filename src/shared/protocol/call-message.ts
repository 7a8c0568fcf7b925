/** Chat command messages of a call (docs/calls.md#messages), as the ext of a CMD message. */
import { CALL_TYPE } from "../domain/call-types.ts";
import { z } from "../zod.ts";
import { QUIET_NOTE_MAX } from "./quiet-calls.ts";
import { chatUserNameSchema, idSchema } from "./rest/entities.ts";

export const CALL_ACTIONS = [
  "sendRing",
  "confirmRing",
  "sendAnswer",
  "confirmAnswer",
  "cancelCall",
] as const;
export type CallAction = (typeof CALL_ACTIONS)[number];

export const callMediaSchema = z.enum(["voice", "video"]);
export type CallMedia = z.infer<typeof callMediaSchema>;

const base = z.object({
  channel: idSchema,
  type: z.union([z.literal(CALL_TYPE.single), z.literal(CALL_TYPE.group)]),
  callId: idSchema,
  fromUserDevId: z.string().max(128),
  toUserDevId: z.string().max(128),
  /** Milliseconds since the epoch at the sender. */
  ts: z.number().int(),
  fromUser: chatUserNameSchema,
  toUser: chatUserNameSchema,
  /** Ours beside the platform's fields; a peer that leaves it out means video. */
  media: callMediaSchema.default("video"),
});

export const callMessageSchema = z.discriminatedUnion("action", [
  base.extend({ action: z.literal("sendRing") }),
  base.extend({
    action: z.literal("confirmRing"),
    status: z.boolean(),
    /** Ours, with `status` false: the person does not want to be disturbed. Other clients read it as busy. */
    quiet: z.boolean().optional(),
    /** With `quiet`: the person's own words for callers. */
    note: z.string().max(QUIET_NOTE_MAX).optional(),
  }),
  base.extend({ action: z.literal("sendAnswer"), result: z.string().max(32) }),
  base.extend({ action: z.literal("confirmAnswer"), result: z.string().max(32) }),
  base.extend({ action: z.literal("cancelCall") }),
]);
export type CallMessage = z.infer<typeof callMessageSchema>;
export const ANSWER_ACCEPT = "accept";
export const ANSWER_REFUSE = "refuse";
