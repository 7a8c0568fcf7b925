/**
 * What the console's own calls do with groups, done at Easemob's cloud as well. The rules are checked here first, because the server
 * asks the cloud as the application, which may do everything. Where the cloud refuses, the copy becomes again what it has.
 */
import type { Logger } from "pino";
import { AppError } from "../../../../shared/errors.ts";
import type { Groups } from "../groups/index.ts";
import { conflict, groupMissing } from "../groups/refusal.ts";
import type { GroupMirror } from "./group-mirror.ts";
import type { CloudProvider } from "./provider.ts";

export function actAtCloud(
  groups: Groups,
  deps: {
    readonly provider: CloudProvider;
    readonly mirror: Pick<GroupMirror, "group">;
    readonly log: Logger;
  },
): Groups {
  const { provider, mirror, log } = deps;
  const inChat = (): Error => conflict("请在聊天中进行该操作", "use the chat");

  async function carry(groupId: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      log.warn({ err: error, group: groupId }, "the chat provider did not change a group");
      await mirror.group(groupId).catch((again: unknown) => {
        log.error({ err: again, group: groupId }, "a group was not put right");
      });
      if (error instanceof AppError) throw error;
      throw new AppError("request.conflict", { message: "聊天服务拒绝了操作", cause: error });
    }
  }
  const has = async (groupId: string, userName: string): Promise<boolean> =>
    (await groups.load(groupId))?.members.some((m) => m.chatUserName === userName) === true;

  return {
    ...groups,
    async create(actor, values) {
      const id = values.id ?? (await provider.createGroup(actor.userName, values));
      await mirror.group(id);
      const made = await groups.load(id);
      if (made?.members.some((m) => m.chatUserName === actor.userName) !== true) {
        throw groupMissing();
      }
      return made.group;
    },
    async modify(actor, groupId, values) {
      const group = await groups.modify(actor, groupId, values);
      const now = (await groups.load(groupId))?.group;
      if (now === undefined) throw groupMissing();
      await carry(groupId, () =>
        provider.changeGroup(groupId, {
          groupname: now.name,
          description: now.description,
          public: now.public,
          membersonly: now.approval,
          allowinvites: now.allowInvites,
          invite_need_confirm: now.inviteConfirm,
        }),
      );
      return group;
    },
    async dissolve(actor, groupId) {
      await groups.dissolve(actor, groupId);
      await carry(groupId, () => provider.deleteGroup(groupId));
      return null;
    },
    async join(actor, groupId, reason) {
      // A person who accepted an invitation at the provider is already a member.
      await carry(groupId, () => mirror.group(groupId));
      if (await has(groupId, actor.userName)) return true;
      if ((await groups.load(groupId))?.group.approval === true) throw inChat();
      await groups.join(actor, groupId, reason);
      await carry(groupId, () => provider.addMember(groupId, actor.userName));
      return true;
    },
    async invite(actor, groupId, userNames) {
      if ((await groups.load(groupId))?.group.inviteConfirm === true) throw inChat();
      const result = await groups.invite(actor, groupId, userNames);
      for (const name of result.invited) {
        await carry(groupId, () => provider.addMember(groupId, name));
      }
      return result;
    },
    async leave(actor, groupId) {
      await groups.leave(actor, groupId);
      await carry(groupId, () => provider.removeMember(groupId, actor.userName));
      return null;
    },
    async remove(actor, groupId, userNames) {
      const removed = await groups.remove(actor, groupId, userNames);
      for (const name of removed) await carry(groupId, () => provider.removeMember(groupId, name));
      return removed;
    },
  };
}
