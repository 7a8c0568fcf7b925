/**
 * Chat groups and friends. Only its members see a group, who all belong to one company. Friends of different companies may chat
 * and call once both have agreed.
 */
import { AppError } from "../../../shared/errors.ts";
import {
  chatUserByIdCall,
  type Friend,
  friendAddCall,
  friendDeleteCall,
  friendInfoCall,
  friendRemoveCall,
  friendRequestsCall,
  friendsCall,
} from "../../../shared/protocol/rest/im-friends.ts";
import {
  groupCreateCall,
  groupDeleteCall,
  groupRequestsCall,
  groupsCall,
  groupUpdateCall,
  groupUserAddCall,
  groupUserDeleteCall,
  groupUsersCall,
  publicGroupsCall,
} from "../../../shared/protocol/rest/im-groups.ts";
import { CHAT_SOURCE } from "../../../shared/protocol/rest/im.ts";
import { and, eq, isNull } from "drizzle-orm";
import { isId } from "../../base/database/ids.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import { createFriends, type FriendRow } from "./friends.ts";
import { createGroupLists } from "./group-lists.ts";
import { createGroupPages, groupNotFound } from "./groups.ts";
import type { Cloud } from "../chat/cloud/index.ts";
import type { Groups } from "../chat/groups/index.ts";
import type { Contacts } from "../chat/contacts/contacts.ts";

/** @param chat its groups and contacts, which the calls here and the provider's change both, and the cloud that it is on, if any */
export function createImModule(
  deps: ServerDeps,
  {
    groups,
    contacts,
    cloud,
  }: { readonly groups: Groups; readonly contacts: Contacts; readonly cloud: Cloud | null },
): ServerModule {
  const { config, db, directory } = deps;
  const pages = createGroupPages(db);
  const lists = createGroupLists(db);
  /** No device acts, so all of the person's devices learn of it. */
  const actor = ({ chatUserName }: Principal) => ({ userName: chatUserName, resource: "" });
  const friends = createFriends(db);

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

      route(app, groupsCall, deps, async ({ query, principal }) => {
        if (query.cursor === 1) await cloud?.beforeGroups(principal.chatUserName);
        return pages.groupsOf(principal.accountId, query);
      });

      route(app, groupCreateCall, deps, async ({ body, principal }) => {
        const group = await groups.create(actor(principal), {
          id: body.gid,
          name: body.groupname,
          description: body.desc,
          members: body.members,
          public: body.public,
          approval: body.approval,
          allowInvites: body.allowinvites,
          inviteConfirm: false,
          custom: "",
          companyId: principal.supplierId,
        });
        return pages.one(group.id, principal.accountId);
      });

      route(app, groupUpdateCall, deps, async ({ params, body, principal }) => {
        const { groupname, desc, allowinvites, inviteconfirm, approval } = body;
        await groups.modify(actor(principal), params.id, {
          name: groupname,
          description: desc,
          public: body.public,
          approval,
          allowInvites: allowinvites,
          inviteConfirm: inviteconfirm,
        });
        return pages.one(params.id, principal.accountId);
      });

      route(app, groupRequestsCall, deps, ({ query, principal }) =>
        lists.requests(principal.accountId, query),
      );

      route(app, publicGroupsCall, deps, ({ query, principal }) =>
        lists.publicGroups(principal.accountId, query),
      );

      route(app, groupDeleteCall, deps, ({ params, principal }) =>
        groups.dissolve(actor(principal), params.id),
      );

      route(app, groupUsersCall, deps, async ({ query, principal }) => {
        const found = await groups.load(query.groupId);
        if (!found?.members.some((m) => m.accountId === principal.accountId)) {
          throw groupNotFound();
        }
        return pages.members(query.groupId, query);
      });

      route(app, groupUserAddCall, deps, async ({ body, principal }) => {
        const { groupIdStr: id, userName } = body;
        const self = userName === principal.chatUserName;
        if (self) {
          // An application is no membership: the caller asks for a closed group through the chat.
          const found = await groups.load(id);
          const there = found?.members.some((m) => m.accountId === principal.accountId) === true;
          if (found === null || (found.group.approval && !there)) throw groupNotFound();
          await groups.join(actor(principal), id, "");
          return pages.member(id, principal.accountId);
        }
        await groups.invite(actor(principal), id, [userName]);
        const invited = (await groups.load(id))?.members.find((m) => m.chatUserName === userName);
        if (invited === undefined) {
          throw new AppError("request.conflict", { message: "已邀请，等待对方同意" });
        }
        return pages.member(id, invited.accountId);
      });

      route(app, groupUserDeleteCall, deps, async ({ body, principal }) => {
        if (body.userName === principal.chatUserName) {
          await groups.leave(actor(principal), body.groupIdStr);
        } else {
          await groups.remove(actor(principal), body.groupIdStr, [body.userName]);
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
        const { friendUserName } = body;
        if ((await contacts.ask(actor(principal), friendUserName, body.reason ?? "")) === "full") {
          throw new AppError("request.rate-limited", { message: "等待对方同意的好友申请过多" });
        }
        const row = await friends.find(principal.accountId, friendUserName);
        if (row?.agreed === true) await cloud?.befriended(body.userName, friendUserName);
        return friend(principal, row);
      });

      route(app, friendInfoCall, deps, async ({ query, principal }) => {
        own(principal, query.userName);
        return friend(principal, await friends.find(principal.accountId, query.friendUserName));
      });

      route(app, friendsCall, deps, ({ query, principal }) =>
        friends.page(principal.accountId, query),
      );

      route(app, friendRequestsCall, deps, async ({ query, principal }) => {
        const self = principal.chatUserName;
        const records = await friends.requests(principal.accountId, self, query.limit);
        const asksSomebody = records.some(({ kind }) => kind === "sent");
        const colleagues = new Set(asksSomebody ? await directory.colleagues(self) : []);
        return records.map((record) =>
          record.kind === "received" || colleagues.has(record.userName)
            ? record
            : { ...record, name: record.userName, avatar: "" },
        );
      });

      const part = async (principal: Principal, userName: string): Promise<null> => {
        if (!(await contacts.end(actor(principal), userName))) throw notFriends();
        await cloud?.unfriended(principal.chatUserName, userName);
        return null;
      };
      route(app, friendRemoveCall, deps, ({ body, principal }) => {
        own(principal, body.userName);
        return part(principal, body.friendUserName);
      });

      route(app, friendDeleteCall, deps, async ({ params, principal }) => {
        const userName = isId(params.id)
          ? await friends.nameOf(principal.accountId, params.id)
          : null;
        if (userName === null) throw notFriends();
        return part(principal, userName);
      });
    },
  };
}
