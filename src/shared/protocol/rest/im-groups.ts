/**
 * Groups. The platform shows no answers but for "data.code 0 and data.data.records"
 * of the member search, which is the envelope with a page in it. A group's id is the messaging provider's group id throughout
 * (groupIdStr). A group that one is no member of answers as not found.
 */
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE, pageQuerySchema, pageSchema } from "./call.ts";
import { chatUserNameSchema, idSchema } from "./entities.ts";

export const groupIdSchema = z.string().regex(/^\d{1,20}$/, "群组编号不正确");
/** Members per group, groups per owner, and people that one creation may name. */
export const GROUP_LIMITS = { members: 500, owned: 100, invited: 100 } as const;

const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);

export const groupSchema = z.object({
  id: groupIdSchema,
  gid: groupIdSchema,
  name: z.string(),
  desc: z.string(),
  /** Chat user name of the owner. */
  admin: chatUserNameSchema,
  membersonly: z.boolean(),
  public: z.boolean(),
  allowinvites: z.boolean(),
  memberCount: z.number().int().nonnegative(),
});
export type Group = z.infer<typeof groupSchema>;

export const groupMemberSchema = z.object({
  id: idSchema,
  groupIdStr: groupIdSchema,
  userName: chatUserNameSchema,
  name: z.string(),
  avatar: z.string(),
  owner: z.boolean(),
});
export type GroupMember = z.infer<typeof groupMemberSchema>;

const ACCESS = { company: "optional", guests: true } as const;

export const groupsCall = defineCall({
  id: "im.groups",
  method: "GET",
  path: "/dc-im/api/groups",
  summary: "A page of the groups the caller is a member of, the newest first",
  auth: "bearer",
  access: ACCESS,
  query: pageQuerySchema.extend({ descParameter: z.string().max(32).optional() }),
  data: pageSchema(groupSchema),
});

export const groupCreateCall = defineCall({
  id: "im.groupCreate",
  method: "POST",
  path: "/dc-im/api/group",
  summary:
    "Make a group, or save the one made at the messaging service (gid); the caller owns it, members are people he may chat with",
  auth: "bearer",
  access: ACCESS,
  body: z.object({
    /** Left out: the server chooses one. */
    gid: groupIdSchema.optional(),
    groupname: text(64).min(1),
    desc: text(500).default(""),
    members: z.array(chatUserNameSchema).max(GROUP_LIMITS.invited).default([]),
    public: z.boolean().default(true),
    approval: z.boolean().default(false),
    allowinvites: z.boolean().default(true),
  }),
  data: groupSchema,
});

export const groupDeleteCall = defineCall({
  id: "im.groupDelete",
  method: "DELETE",
  path: "/dc-im/api/group/{id}",
  summary: "Dissolve a group, by its owner",
  auth: "bearer",
  access: ACCESS,
  params: z.object({ id: groupIdSchema }),
});

export const groupUsersCall = defineCall({
  id: "im.groupUsers",
  method: "GET",
  path: "/dc-im/api/groupUsers",
  summary:
    "Search among the members of a group the caller is in; cursor 1, limit 200 in the console",
  auth: "bearer",
  access: ACCESS,
  query: pageQuerySchema.extend({
    groupId: groupIdSchema,
    descParameter: z.string().max(32).optional(),
  }),
  data: pageSchema(groupMemberSchema),
});

const memberBody = z.object({ userName: chatUserNameSchema, groupIdStr: groupIdSchema });

export const groupUserAddCall = defineCall({
  id: "im.groupUserAdd",
  method: "POST",
  path: "/dc-im/api/groupUser",
  summary:
    "Add a member: by the owner, by members where allowinvites holds, or oneself to a public group without approval whose owner one may chat with",
  auth: "bearer",
  access: ACCESS,
  body: memberBody,
  data: groupMemberSchema,
});

export const groupUserDeleteCall = defineCall({
  id: "im.groupUserDelete",
  method: "POST",
  path: "/dc-im/api/groupUser/delete",
  summary: "Remove a member, by the owner; or leave, but not as the owner",
  auth: "bearer",
  access: ACCESS,
  body: memberBody,
});

export const groupCalls = {
  groups: groupsCall,
  groupCreate: groupCreateCall,
  groupDelete: groupDeleteCall,
  groupUsers: groupUsersCall,
  groupUserAdd: groupUserAddCall,
  groupUserDelete: groupUserDeleteCall,
};
