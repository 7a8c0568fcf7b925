/** How people enter a group and are taken out of it, for every act that does so; and the events that tell it. */
import { and, eq, inArray } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import { imGroupMembers, imGroupRequests } from "../../../base/database/schema/im.ts";
import { MUC } from "../wire/wire.ts";
import { ALL_MEMBERS, type GroupEvent } from "./events.ts";
import { type Person, readBlocked, readCompanies, readPeople } from "./facts.ts";
import { foreigner, forbidden, full } from "./refusal.ts";
import { namesOf, rowsOf, type Scene } from "./scene.ts";

/** @throws GroupRefusal naming the first who has no account */
export async function peopleOf(
  reader: Pick<NodePgDatabase, "select">,
  userNames: readonly string[],
): Promise<Person[]> {
  const found = await readPeople(reader, userNames);
  const known = new Set(found.map((p) => p.chatUserName));
  for (const name of userNames) if (!known.has(name)) throw foreigner(name);
  return found;
}

/** @throws GroupRefusal naming the first who is of another company */
export async function refuseForeigners(
  { tx, group }: Pick<Scene, "tx" | "group">,
  people: readonly Person[],
): Promise<void> {
  const companies = await readCompanies(
    tx,
    people.map((p) => p.accountId),
  );
  for (const person of people) {
    const theirs = companies.get(person.accountId);
    if (group.companyId === null || theirs?.has(group.companyId) !== true) {
      throw foreigner(person.chatUserName);
    }
  }
}

/** Whether people may come in: those of other companies and those on the block list may not. @throws GroupRefusal */
export async function refuseStrangers(
  { tx, group }: Pick<Scene, "tx" | "group">,
  people: readonly Person[],
): Promise<void> {
  await refuseForeigners({ tx, group }, people);
  const blocked = new Set((await readBlocked(tx, group.id)).map((p) => p.accountId));
  if (people.some((p) => blocked.has(p.accountId))) throw forbidden("对方已被移入群黑名单");
}

/** Adds people who are not in yet. @throws GroupRefusal */
export async function add(scene: Scene, people: readonly Person[], now: number): Promise<void> {
  const { tx, group, members } = scene;
  await refuseStrangers(scene, people);
  if (members.length + people.length > GROUP_LIMITS.members) throw full(GROUP_LIMITS.members);
  const ids = people.map((p) => p.accountId);
  // A person who left the company and returned starts as a new member.
  await tx
    .delete(imGroupMembers)
    .where(and(eq(imGroupMembers.groupId, group.id), inArray(imGroupMembers.accountId, ids)));
  await tx
    .insert(imGroupMembers)
    .values(ids.map((accountId) => ({ groupId: group.id, accountId, joinedAt: new Date(now) })));
  await tx
    .delete(imGroupRequests)
    .where(and(eq(imGroupRequests.groupId, group.id), inArray(imGroupRequests.accountId, ids)));
}

export const joined = (scene: Scene, people: readonly Person[]): GroupEvent[] =>
  people.map((person) => ({
    operation: MUC.presence,
    audience: namesOf(scene.members),
    from: person.chatUserName,
    about: person.chatUserName,
    memberCount: scene.members.length + people.length,
  }));

export async function drop(scene: Scene, people: readonly Person[]): Promise<void> {
  await scene.tx.delete(imGroupMembers).where(rowsOf(scene, people));
}

export const left = (scene: Scene, people: readonly Person[]): GroupEvent[] => {
  const gone = new Set(people.map((p) => p.accountId));
  const rest = scene.members.filter((m) => !gone.has(m.accountId));
  // A person who leaves by choice no longer reads the group's inbox on other devices, so each personal inbox gets the event.
  const audience = gone.has(scene.self.accountId) ? namesOf(rest) : ALL_MEMBERS;
  return people.map((person) => ({
    operation: MUC.absence,
    audience,
    from: person.chatUserName,
    about: person.chatUserName,
    memberCount: rest.length,
  }));
};
