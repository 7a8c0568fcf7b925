/**
 * Groups. The platform shows no answers but for "data.code 0 and data.data.records"
 * of the member search, which is the envelope with a page in it. A group's id is the messaging provider's group id throughout
 * (groupIdStr). A group that one is no member of answers as not found.
 */
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE, pageQuerySchema, pageSchema } from "./call.ts";
import { groupIdSchema, groupRoleSchema, groupRequestSchema } from "../group-model.ts";
import { chatUserNameSchema, idSchema } from "./entities.ts";

/** Members per group, groups per owner, and people that one creation may name. */
export const GROUP_LIMITS = { members: 5000, owned: 100, invited: 100 } as const;

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
  /** An invited person must accept first. */
  inviteconfirm: z.boolean(),
  memberCount: z.number().int().nonnegative(),
  /** Only those who rule the group, and those whom they allow it, may write. */
  muted: z.boolean(),
  announcement: z.string(),
  /** What the caller is in the group. */
  role: groupRoleSchema,
  /** Until when the caller may not write, ms since the epoch. */
  mutedUntil: z.number().nullable(),
  /** The caller may write although the group is muted. */
  allowed: z.boolean(),
  /** When the caller entered the group, ms since the epoch. 0: the server does not say. */
  joinedAt: z.number().default(0),
});
export type Group = z.infer<typeof groupSchema>;

export const groupMemberSchema = z.object({
  id: idSchema,
  groupIdStr: groupIdSchema,
  userName: chatUserNameSchema,
  name: z.string(),
  avatar: z.string(),
  owner: z.boolean(),
  /** What the member is called in this group; "" for the name. */
  card: z.string(),
  role: groupRoleSchema,
  /** Until when the member may not write, ms since the epoch. */
  mutedUntil: z.number().nullable(),
  /** The member may write although the group is muted. */
  allowed: z.boolean(),
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

export const groupUpdateCall = defineCall({
  id: "im.groupUpdate",
  method: "PUT",
  path: "/dc-im/api/group/{id}",
  summary:
    "Change the texts of a group and who may enter it, by its owner or an admin; what is left out stays",
  auth: "bearer",
  access: ACCESS,
  params: z.object({ id: groupIdSchema }),
  body: z.object({
    groupname: text(64).min(1).optional(),
    desc: text(500).optional(),
    public: z.boolean().optional(),
    approval: z.boolean().optional(),
    allowinvites: z.boolean().optional(),
    inviteconfirm: z.boolean().optional(),
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

export const groupRequestsCall = defineCall({
  id: "im.groupRequests",
  method: "GET",
  path: "/dc-im/api/groupRequests",
  summary:
    "A page of what waits for an answer: invitations to the caller, applications to the groups that the caller rules, own applications",
  auth: "bearer",
  access: ACCESS,
  query: pageQuerySchema,
  data: pageSchema(groupRequestSchema),
});

export const publicGroupSchema = groupSchema
  .pick({ id: true, name: true, desc: true, membersonly: true, memberCount: true })
  .extend({ joined: z.boolean(), applied: z.boolean() });
export type PublicGroup = z.infer<typeof publicGroupSchema>;

export const publicGroupsCall = defineCall({
  id: "im.publicGroups",
  method: "GET",
  path: "/dc-im/api/publicGroups",
  summary: "Search the public groups of the caller's companies, by name or number",
  auth: "bearer",
  access: ACCESS,
  query: pageQuerySchema,
  data: pageSchema(publicGroupSchema),
});

export const groupCalls = {
  groups: groupsCall,
  groupCreate: groupCreateCall,
  groupUpdate: groupUpdateCall,
  groupDelete: groupDeleteCall,
  groupUsers: groupUsersCall,
  groupUserAdd: groupUserAddCall,
  groupUserDelete: groupUserDeleteCall,
  groupRequests: groupRequestsCall,
  publicGroups: publicGroupsCall,
};
