/** A chat group, as every tab has it. */
import { z } from "../../zod.ts";
import { groupRoleSchema } from "../group-model.ts";

export const chatGroupSchema = z.object({
  /** The provider's group id; the conversation's key is in domain/group-chat.ts. */
  id: z.string(),
  name: z.string(),
  /** Chat user name. */
  owner: z.string(),
  members: z.number().int(),
  description: z.string(),
  announcement: z.string(),
  public: z.boolean(),
  /** Entering needs an approval. */
  approval: z.boolean(),
  allowInvites: z.boolean(),
  /** An invited person must accept first. */
  inviteConfirm: z.boolean(),
  /** Only those who rule the group, and those whom they allow it, may write. */
  muted: z.boolean(),
  /** What this person is in the group. */
  role: groupRoleSchema,
  /** Until when this person may not write, ms since the epoch. */
  mutedUntil: z.number().nullable(),
  /** This person may write although the group is muted. */
  allowed: z.boolean(),
  /** When this person entered, ms since the epoch; 0 while unknown. */
  joinedAt: z.number(),
  /** Grows with every change of the group. */
  revision: z.number().int(),
});
export type ChatGroup = z.infer<typeof chatGroupSchema>;
