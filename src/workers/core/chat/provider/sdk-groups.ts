/** The provider's group calls and events, for sdk.ts. */
import { GROUP_CARD } from "../../../../shared/domain/group-chat.ts";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import { z } from "../../../../shared/zod.ts";
import type { GroupCalls, GroupNews } from "./port.ts";

type SdkGroupMethod =
  | "createGroup"
  | "inviteUsersToGroup"
  | "leaveGroup"
  | "removeGroupMembers"
  | "destroyGroup"
  | "modifyGroup"
  | "updateGroupAnnouncement"
  | "setGroupAdmin"
  | "removeGroupAdmin"
  | "changeGroupOwner"
  | "muteGroupMember"
  | "unmuteGroupMember"
  | "disableSendGroupMsg"
  | "enableSendGroupMsg"
  | "addUsersToGroupAllowlist"
  | "removeGroupAllowlistMember"
  | "acceptGroupInvite"
  | "rejectGroupInvite"
  | "joinGroup"
  | "acceptGroupJoinRequest"
  | "rejectGroupJoinRequest"
  | "setGroupMemberAttributes"
  | "blockGroupMember"
  | "unblockGroupMember"
  | "getGroupBlocklist"
  | "getGroupMsgReadUser";
export type SdkGroupMethods = Readonly<
  Record<SdkGroupMethod, (options: object) => Promise<unknown>>
>;

const madeSchema = z.object({ data: z.object({ groupid: z.string() }) });
const namesSchema = z.object({ data: z.array(z.string()) });
const readersSchema = z.object({ data: z.object({ userlist: z.array(z.string()) }) });
const newsSchema = z.object({
  id: z.coerce.string(),
  operation: z.string(),
  from: z.string().catch(""),
  name: z.string().catch(""),
});

/** @returns null for an event that could not be understood */
export function toGroupNews(value: unknown): GroupNews | null {
  const parsed = newsSchema.safeParse(value);
  if (!parsed.success) return null;
  const { id: groupId, ...news } = parsed.data;
  return { groupId, ...news };
}

export function createGroupCalls(
  conn: SdkGroupMethods,
  /** Makes any rejection a ChatFailure. */
  guard: <T>(run: () => Promise<T>) => Promise<T>,
): GroupCalls {
  const done = (run: () => Promise<unknown>): Promise<void> =>
    guard(async () => {
      await run();
    });
  return {
    create: ({ name, description, members, supplierId }) =>
      guard(async () => {
        const answer = await conn.createGroup({
          data: {
            groupname: name,
            desc: description,
            members: [...members],
            public: true,
            approval: false,
            allowinvites: true,
            inviteNeedConfirm: false,
            maxusers: GROUP_LIMITS.members,
            ext: supplierId === null ? "" : JSON.stringify({ supplierId }),
          },
        });
        return madeSchema.parse(answer).data.groupid;
      }),
    invite: (groupId, users) => done(() => conn.inviteUsersToGroup({ groupId, users: [...users] })),
    leave: (groupId) => done(() => conn.leaveGroup({ groupId })),
    remove: (groupId, users) => done(() => conn.removeGroupMembers({ groupId, users: [...users] })),
    dissolve: (groupId) => done(() => conn.destroyGroup({ groupId })),
    modify: (groupId, { name: groupName, description }) =>
      done(() => conn.modifyGroup({ groupId, groupName, description })),
    announce: (groupId, announcement) =>
      done(() => conn.updateGroupAnnouncement({ groupId, announcement })),
    setAdmin: (groupId, username, admin) =>
      done(() =>
        admin
          ? conn.setGroupAdmin({ groupId, username })
          : conn.removeGroupAdmin({ groupId, username }),
      ),
    transfer: (groupId, newOwner) => done(() => conn.changeGroupOwner({ groupId, newOwner })),
    mute: (groupId, username, ms) =>
      done(() =>
        ms === null
          ? conn.unmuteGroupMember({ groupId, username })
          : conn.muteGroupMember({ groupId, username, muteDuration: ms }),
      ),
    muteAll: (groupId, muted) =>
      done(() =>
        muted ? conn.disableSendGroupMsg({ groupId }) : conn.enableSendGroupMsg({ groupId }),
      ),
    allow: (groupId, userName, allowed) =>
      done(() =>
        allowed
          ? conn.addUsersToGroupAllowlist({ groupId, users: [userName] })
          : conn.removeGroupAllowlistMember({ groupId, userName }),
      ),
    answerInvitation: (groupId, invitee, accept) =>
      done(() =>
        accept
          ? conn.acceptGroupInvite({ groupId, invitee })
          : conn.rejectGroupInvite({ groupId, invitee }),
      ),
    join: (groupId, message) => done(() => conn.joinGroup({ groupId, message })),
    answerApplication: (groupId, applicant, accept) =>
      done(() =>
        accept
          ? conn.acceptGroupJoinRequest({ groupId, applicant })
          : conn.rejectGroupJoinRequest({ groupId, applicant, reason: "" }),
      ),
    setCard: (groupId, userId, card) =>
      done(() =>
        conn.setGroupMemberAttributes({
          groupId,
          userId,
          memberAttributes: { [GROUP_CARD]: card },
        }),
      ),
    block: (groupId, username, blocked) =>
      done(() =>
        blocked
          ? conn.blockGroupMember({ groupId, username })
          : conn.unblockGroupMember({ groupId, username }),
      ),
    readers: (groupId, msgId) =>
      guard(
        async () =>
          readersSchema.parse(await conn.getGroupMsgReadUser({ groupId, msgId })).data.userlist,
      ),
    blocked: (groupId) =>
      guard(async () => namesSchema.parse(await conn.getGroupBlocklist({ groupId })).data),
  };
}
