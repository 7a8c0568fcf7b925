/** What a chat group consists of, for calls, slices and screens (docs/chat.md#groups). */
import { z } from "../zod.ts";
import { chatUserNameSchema } from "./rest/entities.ts";

export const groupIdSchema = z.string().regex(/^\d{1,20}$/, "群组编号不正确");
export const groupRoleSchema = z.enum(["owner", "admin", "member"]);
export type GroupRole = z.infer<typeof groupRoleSchema>;

export const groupRequestSchema = z.object({
  /**
   * `invitation`: a group invites the caller. `application`: somebody asks to enter a group that the caller manages. `applied`: the
   * caller has asked to enter a group.
   */
  kind: z.enum(["invitation", "application", "applied"]),
  groupId: groupIdSchema,
  groupName: z.string(),
  /** Who invites, or who asks. */
  userName: chatUserNameSchema,
  name: z.string(),
  avatar: z.string(),
  /** What the applicant wrote. */
  message: z.string(),
  /** ms since the epoch */
  at: z.number(),
});
export type GroupRequest = z.infer<typeof groupRequestSchema>;
