/** Chat command messages of a call (docs/calls.md#messages), as the ext of a CMD message. */
import { z } from "../zod.ts";
import { chatUserNameSchema, idSchema } from "./rest/entities.ts";

export const CALL_ACTIONS = [
  "sendRing",
  "confirmRing",
  "sendAnswer",
  "confirmAnswer",
  "cancelCall",
] as const;
export type CallAction = (typeof CALL_ACTIONS)[number];

export const CALL_TYPE = { group: 2, single: 1 } as const;
export const callMediaSchema = z.enum(["voice", "video"]);
export type CallMedia = z.infer<typeof callMediaSchema>;

const base = z.object({
  channel: idSchema,
  type: z.union([z.literal(1), z.literal(2)]),
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
  base.extend({ action: z.literal("confirmRing"), status: z.boolean() }),
  base.extend({ action: z.literal("sendAnswer"), result: z.string().max(32) }),
  base.extend({ action: z.literal("confirmAnswer"), result: z.string().max(32) }),
  base.extend({ action: z.literal("cancelCall") }),
]);
export type CallMessage = z.infer<typeof callMessageSchema>;
export const ANSWER_ACCEPT = "accept";
export const ANSWER_REFUSE = "refuse";
