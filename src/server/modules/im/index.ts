/**
 * Chat groups and friends. They belong to people, not to companies: only its members see a group, and friends of different
 * companies may chat and call once both have agreed.
 */
import { AppError } from "../../../shared/errors.ts";
import {
  chatUserByIdCall,
  type Friend,
  friendAddCall,
  friendDeleteCall,
  friendInfoCall,
  friendRemoveCall,
} from "../../../shared/protocol/rest/im-friends.ts";
import {
  groupCreateCall,
  groupDeleteCall,
  groupsCall,
  groupUserAddCall,
  groupUserDeleteCall,
  groupUsersCall,
} from "../../../shared/protocol/rest/im-groups.ts";
import { CHAT_SOURCE } from "../../../shared/protocol/rest/im.ts";
import { and, eq, isNull } from "drizzle-orm";
import { isId } from "../../base/database/ids.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import { createFriends, type FriendRow } from "./friends.ts";
import { createFriendRequests } from "./friend-requests.ts";
import { createGroups, groupNotFound } from "./groups.ts";

export function createImModule(deps: ServerDeps): ServerModule {
  const { config, db, clock, directory } = deps;
  const groups = createGroups(db, () => clock.now());
  const friends = createFriends(db);
  const requests = createFriendRequests(db);

  /** @throws AppError request.not-found when the caller is not a member, as for a missing group */
  async function insideGroup(id: string, principal: Principal) {
    const group = await groups.find(id, principal.accountId);
    if (group === null || !group.inside) throw groupNotFound();
    return group;
  }

  const notFriends = (): AppError =>
    new AppError("request.not-found", { message: "对方不是您的好友" });

  /** A stranger's name and picture are hidden until both have agreed. */
  const friend = async (principal: Principal, row: FriendRow | null): Promise<Friend> => {
    if (row === null) throw notFriends();
    const { chatUserName } = principal;
    const known = row.agreed || (await directory.mayTalk(chatUserName, row.friendUserName));
    return {
      ...row,
      ...(known ? {} : { name: row.friendUserName, avatar: "" }),
      userName: principal.chatUserName,
      source: CHAT_SOURCE,
      systemName: config.EASEMOB_APP_KEY,
    };
  };

  /** @throws AppError auth.forbidden when the request names another user than the caller */
  function own(principal: Principal, userName: string): void {
    if (userName !== principal.chatUserName) throw new AppError("auth.forbidden");
  }

  return {
    name: "im",
    routes(app) {
      route(app, chatUserByIdCall, deps, async ({ params, principal }) => {
        const [row] = isId(params.id)
          ? await db
              .select({ userName: accounts.chatUserName })
              .from(accounts)
              .where(and(eq(accounts.id, params.id), isNull(accounts.disabledAt)))
          : [];
        const self = principal.chatUserName;
        // A person whom the caller may not talk to gets the same answer as a missing one, because ids can be enumerated.
        if (
          row === undefined ||
          (row.userName !== self && !(await directory.mayTalk(self, row.userName)))
        ) {
          throw new AppError("chat.user-not-found");
        }
        const found = await directory.personByChatName(row.userName);
        if (found === null) throw new AppError("chat.user-not-found");
        return { ...found, source: CHAT_SOURCE, systemName: config.EASEMOB_APP_KEY };
      });

      route(app, groupsCall, deps, ({ query, principal }) =>
        groups.mine(principal.accountId, query),
      );

      route(app, groupCreateCall, deps, async ({ body, principal }) => {
        const names = [...new Set(body.members)].filter((name) => name !== principal.chatUserName);
        const people: string[] = [];
        for (const name of names) {
          const found = await directory.personByChatName(name);
          if (found === null || !(await directory.mayTalk(principal.chatUserName, name))) {
            throw new AppError("chat.not-allowed", {
              details: { fields: { members: `不能邀请 ${name}` } },
            });
          }
          people.push(found.accountId);
        }
        const values = {
          name: body.groupname,
          description: body.desc,
          public: body.public,
          approval: body.approval,
          allowInvites: body.allowinvites,
        };
        return groups.create(principal, values, body.gid, people);
      });

      route(app, groupDeleteCall, deps, async ({ params, principal }) => {
        const group = await insideGroup(params.id, principal);
        if (group.ownerId !== principal.accountId) {
          throw new AppError("auth.forbidden", { message: "只有群主可以解散群组" });
        }
        await groups.remove(principal, group);
        return null;
      });

      route(app, groupUsersCall, deps, async ({ query, principal }) => {
        const group = await insideGroup(query.groupId, principal);
        return groups.members(group.id, query);
      });

      route(app, groupUserAddCall, deps, async ({ body, principal }) => {
        const group = await groups.find(body.groupIdStr, principal.accountId);
        if (group === null) throw groupNotFound();
        if (body.userName === principal.chatUserName) {
          const open = group.public && !group.approval;
          const known =
            group.inside ||
            (open && (await directory.mayTalk(principal.chatUserName, group.owner)));
          if (!known) throw groupNotFound();
          return groups.add(principal, group.id, principal.accountId);
        }
        if (!group.inside) throw groupNotFound();
        if (!group.allowInvites && group.ownerId !== principal.accountId) {
          throw new AppError("auth.forbidden", { message: "只有群主可以邀请成员" });
        }
        const invited = await directory.personByChatName(body.userName);
        if (invited === null || !(await directory.mayTalk(principal.chatUserName, body.userName))) {
          throw new AppError("chat.not-allowed");
        }
        return groups.add(principal, group.id, invited.accountId);
      });

      route(app, groupUserDeleteCall, deps, async ({ body, principal }) => {
        const group = await insideGroup(body.groupIdStr, principal);
        const self = body.userName === principal.chatUserName;
        const owner = group.ownerId === principal.accountId;
        if (self && owner) {
          throw new AppError("request.conflict", { message: "群主不能退出群组，请解散群组" });
        }
        if (!self && !owner) {
          throw new AppError("auth.forbidden", { message: "只有群主可以移除成员" });
        }
        const found = self ? principal : await directory.personByChatName(body.userName);
        if (found === null || !(await groups.drop(principal, group.id, found.accountId))) {
          throw new AppError("request.not-found", { message: "对方不在群组中" });
        }
        return null;
      });

      route(app, friendAddCall, deps, async ({ body, principal }) => {
        own(principal, body.userName);
        if (body.friendUserName === principal.chatUserName) {
          throw new AppError("request.invalid", {
            details: { fields: { friendUserName: "不能添加自己为好友" } },
          });
        }
        const found = await directory.personByChatName(body.friendUserName);
        const row = await (found === null
          ? requests.add(principal, body.friendUserName)
          : friends.add(principal, found.accountId));
        if (row === "too many") {
          throw new AppError("request.rate-limited", { message: "等待对方同意的好友申请过多" });
        }
        return friend(principal, row);
      });

      route(app, friendInfoCall, deps, async ({ query, principal }) => {
        own(principal, query.userName);
        const { accountId } = principal;
        const found = await directory.personByChatName(query.friendUserName);
        const row = await (found === null
          ? requests.find(accountId, query.friendUserName)
          : friends.find(accountId, found.accountId));
        return friend(principal, row);
      });

      route(app, friendRemoveCall, deps, async ({ body, principal }) => {
        own(principal, body.userName);
        const found = await directory.personByChatName(body.friendUserName);
        const ended = await (found === null
          ? requests.end(principal, { userName: body.friendUserName })
          : friends.end(principal, found.accountId));
        if (!ended) throw notFriends();
        return null;
      });

      route(app, friendDeleteCall, deps, async ({ params, principal }) => {
        const { id } = params;
        if (!isId(id)) throw notFriends();
        const friendId = await friends.friendOf(principal.accountId, id);
        const ended = await (friendId === null
          ? requests.end(principal, { id })
          : friends.end(principal, friendId));
        if (!ended) throw notFriends();
        return null;
      });
    },
  };
}
