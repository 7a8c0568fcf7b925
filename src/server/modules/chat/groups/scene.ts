/** One act on a group: a transaction that locks the group, the act's rule, and afterwards its events. */
import { and, eq, inArray } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { auditPlatform, type Change } from "../../../base/audit/index.ts";
import { imGroupMembers, imGroups } from "../../../base/database/schema/im.ts";
import type { Outgoing } from "../wire/records.ts";
import { type Actor, eventMessage, type GroupEvent } from "./events.ts";
import { type Group, type Member, type Person, readMembers, readPeople } from "./facts.ts";
import { forbidden, groupMissing, notInside } from "./refusal.ts";

export type Tx = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0];

export interface Scene {
  readonly tx: Tx;
  readonly group: Group;
  readonly members: readonly Member[];
  /** The person who acts. */
  readonly self: Person;
  /** That person's membership. */
  readonly me: Member | undefined;
}
export interface Outcome<T> {
  readonly result: T;
  readonly events?: readonly GroupEvent[];
  /** For the audit record; left out when nothing changed. */
  readonly change?: Omit<Change, "entity" | "entityId">;
}

export interface SceneDeps {
  readonly db: NodePgDatabase;
  readonly appKey: string;
  readonly nextId: () => bigint;
  /** Stores and delivers an event. */
  readonly write: (outgoing: Outgoing) => Promise<unknown>;
}

export interface Stage {
  /** Runs the rule with the group locked, so that two acts cannot contradict each other. @throws GroupRefusal */
  act<T>(actor: Actor, groupId: string, rule: (scene: Scene) => Promise<Outcome<T>>): Promise<T>;
  /** The account that acts. @throws GroupRefusal */
  selfOf(db: Pick<NodePgDatabase, "select">, actor: Actor): Promise<Person>;
  sendEvents(
    actor: Actor,
    group: Pick<Group, "id" | "name">,
    events: readonly GroupEvent[],
  ): Promise<void>;
}

export const namesOf = (members: readonly Person[]): string[] => members.map((m) => m.chatUserName);
export const rules = (member: Member | undefined): boolean =>
  member !== undefined && (member.owner || member.admin);

/** Whether an own mute of the member runs at `now`, ms since the epoch. */
export const isMuted = (member: Pick<Member, "mutedUntil">, now: number): boolean =>
  (member.mutedUntil ?? 0) > now;
/** Whether the member may bring anything into the group: neither is muted, or the member may write all the same. */
export const mayWrite = (group: Pick<Group, "muted">, member: Member, now: number): boolean =>
  !isMuted(member, now) && (!group.muted || rules(member) || member.allowed);

/** @throws GroupRefusal for a person who is no member: the group is hidden from strangers */
export function inside(scene: Scene): Member {
  if (scene.me === undefined) throw groupMissing();
  return scene.me;
}

/** @throws GroupRefusal when the person is neither owner nor admin of the group */
export function ruling(scene: Scene): Member {
  const me = inside(scene);
  if (!rules(me)) throw forbidden("只有群主和管理员可以操作");
  return me;
}

/** @throws GroupRefusal for a person who is no member */
export function memberOf(scene: Scene, userName: string): Member {
  const found = scene.members.find((m) => m.chatUserName === userName);
  if (found === undefined) throw notInside();
  return found;
}

/** The rows of these members. */
export const rowsOf = (scene: Scene, members: readonly Person[]) =>
  and(
    eq(imGroupMembers.groupId, scene.group.id),
    inArray(
      imGroupMembers.accountId,
      members.map((m) => m.accountId),
    ),
  );

export function createStage(deps: SceneDeps): Stage {
  const { db, appKey, nextId } = deps;
  const selfOf: Stage["selfOf"] = async (reader, actor) => {
    const [self] = await readPeople(reader, [actor.userName]);
    if (self === undefined) throw forbidden("账号已停用");
    return self;
  };
  const sendEvents: Stage["sendEvents"] = async (actor, group, events) => {
    await Promise.all(
      events.map((event) => deps.write(eventMessage(appKey, nextId, actor, group, event))),
    );
  };
  return {
    selfOf,
    sendEvents,
    async act(actor, groupId, rule) {
      const { group, outcome } = await db.transaction(async (tx) => {
        const [found] = await tx
          .select()
          .from(imGroups)
          .where(eq(imGroups.id, groupId))
          .for("update");
        if (found === undefined) throw groupMissing();
        const self = await selfOf(tx, actor);
        const members = await readMembers(tx, groupId);
        const me = members.find((m) => m.accountId === self.accountId);
        const result = await rule({ tx, group: found, members, self, me });
        if (result.change !== undefined) {
          await auditPlatform(tx, self, {
            ...result.change,
            entity: "im-group",
            entityId: groupId,
          });
        }
        return { group: found, outcome: result };
      });
      await sendEvents(actor, group, outcome.events ?? []);
      return outcome.result;
    },
  };
}
