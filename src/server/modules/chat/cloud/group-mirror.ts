/**
 * Copies groups of Easemob's cloud into the tables of groups (docs/chat.md#easemobs-cloud). The cloud is the truth; who belongs to
 * another company than the group is taken out of it there.
 */
import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Logger } from "pino";
import { auditPlatform } from "../../../base/audit/index.ts";
import { accounts } from "../../../base/database/schema/base.ts";
import { imGroupMembers, imGroups } from "../../../base/database/schema/im.ts";
import type { CloudGroup } from "../../../../shared/protocol/easemob-rest.ts";
import { type Person, readCompanies, readGroup, readPeople } from "../groups/facts.ts";
import type { CloudProvider } from "./provider.ts";

export interface GroupMirror {
  /** Makes the copy of a group equal. Calls for one group follow each other. */
  group(id: string): Promise<void>;
  /** Makes the copies of the groups equal that this person entered or left. */
  groupsOf(userName: string): Promise<void>;
  /** Makes the copies of all groups of a company equal; null: of all, and of all that people entered or left. */
  all(companyId: string | null): Promise<void>;
}

/** The company of most members, among those of the owner; the oldest of several. */
export function commonCompany(
  owner: string,
  people: readonly Person[],
  companies: ReadonlyMap<string, ReadonlySet<string>>,
): string | null {
  const count = (company: string): number =>
    people.filter((p) => companies.get(p.accountId)?.has(company) === true).length;
  const [best] = [...(companies.get(owner) ?? [])].sort(
    (a, b) => count(b) - count(a) || (BigInt(a) < BigInt(b) ? -1 : 1),
  );
  return best ?? null;
}

type Facts = Readonly<Record<string, unknown>>;
type Db = Pick<NodePgDatabase, "select" | "insert">;

/** What the copy of a group says; null without one. */
async function factsOf(db: Db, id: string): Promise<Facts | null> {
  const group = await readGroup(db, id);
  if (group === null) return null;
  const rows = await db
    .select({ name: accounts.chatUserName, admin: imGroupMembers.admin })
    .from(imGroupMembers)
    .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
    .where(eq(imGroupMembers.groupId, id));
  return {
    name: group.name,
    description: group.description,
    ownerId: group.ownerId,
    public: group.public,
    approval: group.approval,
    allowInvites: group.allowInvites,
    inviteConfirm: group.inviteConfirm,
    muted: group.muted,
    custom: group.custom,
    companyId: group.companyId,
    members: rows.map(({ name }) => name).toSorted(),
    admins: rows.flatMap(({ name, admin }) => (admin ? [name] : [])).toSorted(),
  };
}

/** Writes into the operation log what the copy of a group did not have as the provider has it; nothing when they were equal. */
async function record(
  db: Db,
  id: string,
  before: Facts | null,
  after: Facts | null,
): Promise<void> {
  const keys = Object.keys(after ?? before ?? {}).filter(
    (key) => JSON.stringify(before?.[key]) !== JSON.stringify(after?.[key]),
  );
  if (keys.length === 0) return;
  const only = (facts: Facts): Facts => Object.fromEntries(keys.map((key) => [key, facts[key]]));
  await auditPlatform(db, null, {
    action: "reconcile",
    entity: "im-group",
    entityId: id,
    ...(before === null ? {} : { before: only(before) }),
    ...(after === null ? {} : { after: only(after) }),
  });
}

export function createGroupMirror(deps: {
  readonly db: NodePgDatabase;
  readonly provider: Pick<
    CloudProvider,
    "group" | "members" | "admins" | "joined" | "removeMember"
  >;
  readonly log: Logger;
}): GroupMirror {
  const { db, provider, log } = deps;
  /** The last work on each group. */
  const busy = new Map<string, Promise<void>>();

  async function store(
    group: CloudGroup,
    owner: Person,
    companyId: string,
    inside: readonly Person[],
    admins: ReadonlySet<string>,
  ): Promise<void> {
    const values = {
      name: group.name,
      description: group.description,
      ownerId: owner.accountId,
      public: group.public,
      approval: group.membersonly,
      allowInvites: group.allowinvites,
      inviteConfirm: group.invite_need_confirm,
      muted: group.mute,
      custom: group.custom,
      companyId,
    };
    const ids = inside.map((p) => p.accountId);
    const names = (people: readonly Person[]): string[] =>
      people.map((p) => p.chatUserName).toSorted();
    const now: Facts = {
      ...values,
      members: names(inside),
      admins: names(inside.filter((p) => admins.has(p.chatUserName))),
    };
    await db.transaction(async (tx) => {
      await record(tx, group.id, await factsOf(tx, group.id), now);
      await tx
        .insert(imGroups)
        .values({ ...values, id: group.id, createdAt: new Date(group.created) })
        .onConflictDoUpdate({ target: imGroups.id, set: values });
      await tx
        .delete(imGroupMembers)
        .where(
          and(eq(imGroupMembers.groupId, group.id), notInArray(imGroupMembers.accountId, ids)),
        );
      await tx
        .insert(imGroupMembers)
        .values(
          inside.map((p) => ({
            groupId: group.id,
            accountId: p.accountId,
            admin: admins.has(p.chatUserName),
          })),
        )
        .onConflictDoUpdate({
          target: [imGroupMembers.groupId, imGroupMembers.accountId],
          set: { admin: sql`excluded.admin` },
        });
    });
  }

  /** Deletes the copy of a group that the provider deleted, or whose owner has no account here. */
  const drop = (id: string): Promise<void> =>
    db.transaction(async (tx) => {
      const before = await factsOf(tx, id);
      if (before === null) return;
      await record(tx, id, before, null);
      await tx.delete(imGroups).where(eq(imGroups.id, id));
    });

  async function copy(id: string): Promise<void> {
    const group = await provider.group(id);
    if (group === null) return drop(id);
    const [names, admins, before] = await Promise.all([
      provider.members(id),
      provider.admins(id),
      readGroup(db, id),
    ]);
    const people = await readPeople(db, [...new Set([group.owner, ...names])]);
    const owner = people.find((p) => p.chatUserName === group.owner);
    const companies = await readCompanies(
      db,
      people.map((p) => p.accountId),
    );
    const companyId =
      before?.companyId ??
      (owner === undefined ? null : commonCompany(owner.accountId, people, companies));
    if (owner === undefined || companyId === null) {
      // The owner has no account here. The group then belongs to no company, so its copy is deleted.
      log.warn({ group: id }, "a group of the chat provider has no owner here");
      return drop(id);
    }
    const belongs = (p: Person): boolean => companies.get(p.accountId)?.has(companyId) === true;
    const inside = people.filter((p) => p === owner || belongs(p));
    await store(group, owner, companyId, inside, new Set(admins));
    const there = new Set(inside.map((p) => p.chatUserName));
    const strangers = names.filter((one) => !there.has(one));
    for (const name of strangers) await provider.removeMember(id, name);
    if (strangers.length > 0) {
      await record(db, id, { removedAtProvider: [] }, { removedAtProvider: strangers.toSorted() });
    }
  }

  function one(id: string): Promise<void> {
    const next = (busy.get(id) ?? Promise.resolve()).catch(() => undefined).then(() => copy(id));
    busy.set(id, next);
    const forget = (): void => {
      if (busy.get(id) === next) busy.delete(id);
    };
    next.then(forget, forget);
    return next;
  }

  const known = async (userName: string): Promise<string[]> => {
    const rows = await db
      .select({ id: imGroupMembers.groupId })
      .from(imGroupMembers)
      .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
      .where(eq(accounts.chatUserName, userName));
    return rows.map(({ id }) => id);
  };

  async function groupsOf(userName: string): Promise<void> {
    const [there, here] = await Promise.all([provider.joined(userName), known(userName)]);
    const changed = [
      ...there.filter((id) => !here.includes(id)),
      ...here.filter((id) => !there.includes(id)),
    ];
    // What already runs may be what the caller waits for.
    await Promise.all([...there, ...here].flatMap((id) => busy.get(id) ?? []));
    for (const id of changed) await one(id);
  }

  return {
    group: one,
    groupsOf,
    async all(companyId) {
      const rows = await db
        .select({ id: imGroups.id })
        .from(imGroups)
        .where(companyId === null ? undefined : eq(imGroups.companyId, companyId));
      for (const { id } of rows) await one(id);
      if (companyId !== null) return;
      const people = await db
        .select({ userName: accounts.chatUserName })
        .from(accounts)
        .where(
          inArray(
            accounts.id,
            sql`(SELECT account_id FROM employees WHERE account_id IS NOT NULL AND dimission_at IS NULL)`,
          ),
        );
      for (const { userName } of people) {
        await groupsOf(userName);
      }
    },
  };
}
