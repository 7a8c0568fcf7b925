/**
 * Friends. Each side adds the other; both having done so they are friends, and may chat
 * and call across companies. `userName` in a body is the caller's own. Shapes and the path of the info call are not shown in the
 * spec.
 */
import { z } from "../../zod.ts";
import { FRIEND_REASON_MAX, friendRequestSchema } from "../friend-model.ts";
import { defineCall, hasNoNul, NUL_MESSAGE, pageQuerySchema, pageSchema } from "./call.ts";
import { chatUserNameSchema, chatUserSchema, idSchema } from "./entities.ts";

/** The source is the provider's label, systemName the chat application key. */
export const friendSchema = z.object({
  id: idSchema,
  userName: chatUserNameSchema,
  friendUserName: chatUserNameSchema,
  name: z.string(),
  avatar: z.string(),
  source: z.string(),
  systemName: z.string(),
  /** The other side has added the caller too. */
  agreed: z.boolean(),
});
export type Friend = z.infer<typeof friendSchema>;

const ACCESS = { company: "optional", guests: true } as const;
const source = z.string().max(32).optional();
const systemName = z.string().max(128).optional();
const pair = { userName: chatUserNameSchema, friendUserName: chatUserNameSchema };

export const chatUserByIdCall = defineCall({
  id: "im.userById",
  method: "GET",
  path: "/dc-im/api/user/hx/{id}",
  summary: "Chat user by its id, which is the account's, when the caller may chat with them",
  auth: "bearer",
  access: ACCESS,
  params: z.object({ id: z.string().regex(/^\d{1,19}$/, "编号不正确") }),
  data: chatUserSchema,
});

export const friendAddCall = defineCall({
  id: "im.friendAdd",
  method: "POST",
  path: "/dc-im/api/friend/hx/create/userName",
  summary: "Add a friend by user name, or agree to one who has added the caller; twice is once",
  auth: "bearer",
  access: ACCESS,
  body: z.object({
    ...pair,
    source,
    systemName,
    reason: z.string().max(FRIEND_REASON_MAX).refine(hasNoNul, NUL_MESSAGE).optional(),
  }),
  data: friendSchema,
});

export const friendInfoCall = defineCall({
  id: "im.friendInfo",
  method: "GET",
  path: "/dc-im/api/friend/hx/userName",
  summary: "What the caller has with a friend; not found when the caller has not added them",
  auth: "bearer",
  access: ACCESS,
  query: z.object({ ...pair, source, systemName }),
  data: friendSchema,
});

export const friendRemoveCall = defineCall({
  id: "im.friendRemove",
  method: "POST",
  path: "/dc-im/api/friend/hx/userName/delete",
  summary: "End a friendship, or decline the other side's request; for both sides",
  auth: "bearer",
  access: ACCESS,
  body: z.object({ ...pair, source, systemName }),
});

export const friendDeleteCall = defineCall({
  id: "im.friendDelete",
  method: "DELETE",
  path: "/dc-im/api/friend/hx/{id}",
  summary: "End a friendship by the id of the caller's own friend record; for both sides",
  auth: "bearer",
  access: ACCESS,
  params: z.object({ id: z.string().regex(/^\d{1,19}$/, "编号不正确") }),
});

export const friendsCall = defineCall({
  id: "im.friends",
  method: "GET",
  path: "/dc-im/api/friends",
  summary: "The caller's friends, by name",
  auth: "bearer",
  access: ACCESS,
  query: pageQuerySchema.omit({ keyword: true }),
  data: pageSchema(
    friendSchema.pick({ name: true, avatar: true }).extend({ userName: chatUserNameSchema }),
  ),
});

export const friendRequestsCall = defineCall({
  id: "im.friendRequests",
  method: "GET",
  path: "/dc-im/api/friendRequests",
  summary: "The newest friend requests to the caller and of the caller that wait for an answer",
  auth: "bearer",
  access: ACCESS,
  query: z.object({ limit: z.coerce.number().int().min(1).max(400).default(100) }),
  data: z.array(friendRequestSchema),
});

export const friendCalls = {
  chatUserById: chatUserByIdCall,
  friendAdd: friendAddCall,
  friendInfo: friendInfoCall,
  friendRemove: friendRemoveCall,
  friendDelete: friendDeleteCall,
  friends: friendsCall,
  friendRequests: friendRequestsCall,
};
