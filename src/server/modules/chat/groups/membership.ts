/** How groups come and go, and who is in them (docs/chat.md#groups). */
import { randomInt } from "node:crypto";
import { count, eq } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import { auditPlatform } from "../../../base/audit/index.ts";
import { isDuplicate } from "../../../base/database/common.ts";
import { accounts } from "../../../base/database/schema/base.ts";
import { imGroupMembers, imGroupRequests, imGroups } from "../../../base/database/schema/im.ts";
import { MUC } from "../wire/wire.ts";
import type { Actor } from "./events.ts";
import { type Group, type Person, readBlockers, readCompanies } from "./facts.ts";
import { add, drop, joined, left, peopleOf, refuseStrangers } from "./members.ts";
import { conflict, foreigner, forbidden, groupMissing, notInside } from "./refusal.ts";
import { inside, namesOf, rules, type Stage } from "./scene.ts";

export interface NewGroup {
  /** Left out: a new id. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
  readonly public: boolean;
  readonly approval: boolean;
  readonly allowInvites: boolean;
  readonly inviteConfirm: boolean;
  readonly custom: string;
  /** The company that the person works in now. It is the group's, if all belong to it. */
  readonly companyId: string | null;
}

/** An id in the provider's format, digits only: the time in ms and six random digits. */
const makeId = (now: number): string => `${now}${String(randomInt(1e6)).padStart(6, "0")}`;

export function createMembership(deps: {
  readonly db: NodePgDatabase;
  readonly stage: Stage;
  readonly now: () => number;
}) {
  const { db, stage, now } = deps;

  /** Leaves out the people who block the inviter, because a blocked person can neither add nor invite them. */
  async function withoutBlockers(
    reader: Parameters<typeof readBlockers>[0],
    userName: string,
    people: readonly Person[],
  ): Promise<Person[]> {
    const blockers = await readBlockers(reader, userName, people);
    return people.filter((p) => !blockers.has(p.chatUserName));
  }

  return {
    /** People who block the maker are left out without a word, as their contact requests are. @throws GroupRefusal */
    async create(actor: Actor, values: NewGroup): Promise<Group> {
      const self = await stage.selfOf(db, actor);
      const names = [...new Set(values.members)].filter((name) => name !== actor.userName);
      const named = await peopleOf(db, names);
      const companies = await readCompanies(db, [self.accountId, ...named.map((p) => p.accountId)]);
      const ownCompanies = [...(companies.get(self.accountId) ?? [])].sort((a, b) =>
        BigInt(a) < BigInt(b) ? -1 : 1,
      );
      const common = ownCompanies.filter((company) =>
        named.every((p) => companies.get(p.accountId)?.has(company)),
      );
      const companyId = common.find((company) => company === values.companyId) ?? common[0] ?? null;
      if (companyId === null) {
        const stranger = named.find((p) =>
          ownCompanies.every((company) => companies.get(p.accountId)?.has(company) !== true),
        );
        throw foreigner(stranger?.chatUserName ?? named[0]?.chatUserName ?? actor.userName);
      }
      const people = await withoutBlockers(db, actor.userName, named);
      const direct = values.inviteConfirm ? [] : people;
      const { members: _members, ...columns } = values;
      const row = { ...columns, id: values.id ?? makeId(now()), companyId };
      const group = await db
        .transaction(async (tx) => {
          const [owned] = await tx
            .select({ n: count() })
            .from(imGroups)
            .where(eq(imGroups.ownerId, self.accountId));
          if ((owned?.n ?? 0) >= GROUP_LIMITS.owned) {
            throw conflict(`最多创建 ${GROUP_LIMITS.owned} 个群组`, "too many groups");
          }
          const at = new Date(now());
          const [made] = await tx
            .insert(imGroups)
            .values({ ...row, ownerId: self.accountId, createdAt: at })
            .returning();
          if (made === undefined) throw groupMissing();
          await tx.insert(imGroupMembers).values(
            [self, ...direct].map(({ accountId }) => ({
              groupId: row.id,
              accountId,
              joinedAt: at,
            })),
          );
          if (values.inviteConfirm && people.length > 0) {
            await tx.insert(imGroupRequests).values(
              people.map(({ accountId }) => ({
                groupId: row.id,
                accountId,
                inviterId: self.accountId,
              })),
            );
          }
          await auditPlatform(tx, self, {
            action: "create",
            entity: "im-group",
            entityId: row.id,
            after: { name: row.name, members: direct.length + 1 },
          });
          return made;
        })
        .catch((error: unknown) => {
          throw isDuplicate(error) ? conflict("群组已存在", "the group exists") : error;
        });
      await stage.sendEvents(actor, group, [
        { operation: MUC.create, audience: [] },
        ...(people.length === 0
          ? []
          : [
              {
                operation: values.inviteConfirm ? MUC.invite : MUC.directJoined,
                audience: people.map((p) => p.chatUserName),
              },
            ]),
      ]);
      return group;
    },

    dissolve: (actor: Actor, groupId: string) =>
      stage.act(actor, groupId, async (scene) => {
        if (!inside(scene).owner) throw forbidden("只有群主可以解散群组");
        const asked = await scene.tx
          .select({ userName: accounts.chatUserName })
          .from(imGroupRequests)
          .innerJoin(accounts, eq(accounts.id, imGroupRequests.accountId))
          .where(eq(imGroupRequests.groupId, groupId));
        await scene.tx.delete(imGroups).where(eq(imGroups.id, groupId));
        const audience = new Set([...namesOf(scene.members), ...asked.map((one) => one.userName)]);
        return {
          result: null,
          events: [{ operation: MUC.destroy, audience: [...audience] }],
          change: { action: "delete", before: { name: scene.group.name } },
        };
      }),

    /** @returns who is in now, or is asked; who was in already; and who is left out because they block the person who invites */
    invite: (actor: Actor, groupId: string, userNames: readonly string[]) =>
      stage.act(actor, groupId, async (scene) => {
        const me = inside(scene);
        if (!scene.group.allowInvites && !rules(me)) {
          throw forbidden("只有群主和管理员可以邀请成员");
        }
        const there = new Set(namesOf(scene.members));
        const names = [...new Set(userNames)];
        const already = names.filter((name) => there.has(name));
        const named = await peopleOf(
          scene.tx,
          names.filter((name) => !there.has(name)),
        );
        const people = await withoutBlockers(scene.tx, actor.userName, named);
        const invited = people.map((p) => p.chatUserName);
        const unwilling = namesOf(named).filter((name) => !invited.includes(name));
        const result = { invited, already, unwilling };
        if (people.length === 0) return { result };
        if (scene.group.inviteConfirm) {
          await refuseStrangers(scene, people);
          for (const { accountId } of people) {
            const request = { groupId, accountId, inviterId: me.accountId };
            await scene.tx
              .insert(imGroupRequests)
              .values(request)
              .onConflictDoUpdate({
                target: [imGroupRequests.groupId, imGroupRequests.accountId],
                set: { inviterId: me.accountId },
              });
          }
          return {
            result,
            events: [{ operation: MUC.invite, audience: invited }],
            change: { action: "invite", after: { members: invited } },
          };
        }
        await add(scene, people, now());
        return {
          result,
          events: [{ operation: MUC.directJoined, audience: invited }, ...joined(scene, people)],
          change: { action: "add-member", after: { members: invited } },
        };
      }),

    remove: (actor: Actor, groupId: string, userNames: readonly string[]) =>
      stage.act(actor, groupId, async (scene) => {
        const me = inside(scene);
        if (!rules(me)) throw forbidden("只有群主和管理员可以移除成员");
        const people = scene.members.filter((m) => userNames.includes(m.chatUserName));
        if (people.length < new Set(userNames).size) throw notInside();
        if (people.some((p) => p.owner || (p.admin && !me.owner))) {
          throw forbidden("只有群主可以移除管理员");
        }
        await drop(scene, people);
        const names = namesOf(people);
        return {
          result: names,
          events: [{ operation: MUC.kick, audience: names }, ...left(scene, people)],
          change: { action: "remove-member", before: { members: names } },
        };
      }),

    leave: (actor: Actor, groupId: string) =>
      stage.act(actor, groupId, async (scene) => {
        const me = inside(scene);
        if (me.owner) {
          throw conflict("群主不能退出群组，请解散群组", "the owner can not leave the group");
        }
        await drop(scene, [me]);
        return {
          result: null,
          events: left(scene, [me]),
          change: { action: "remove-member", before: { members: [actor.userName] } },
        };
      }),
  };
}
