/**
 * A person who leaves the company also leaves its groups (docs/chat.md#groups). The memberships end, and a group without an owner
 * passes to its longest-serving admin, or else to its longest-serving member.
 */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { auditPlatform } from "../../../base/audit/index.ts";
import { accounts } from "../../../base/database/schema/base.ts";
import { imGroupMembers, imGroups } from "../../../base/database/schema/im.ts";
import { MUC } from "../wire/wire.ts";
import { ALL_MEMBERS, type GroupEvent } from "./events.ts";
import { belongs, readMembers } from "./facts.ts";
import type { Stage, Tx } from "./scene.ts";

export interface Departures {
  /** Ends the memberships of those who have left. @param companyId null: of all companies */
  settle(companyId: string | null): Promise<void>;
}

export function createDepartures(deps: {
  readonly db: NodePgDatabase;
  readonly stage: Pick<Stage, "sendEvents">;
}): Departures {
  const { db, stage } = deps;

  const readGone = (tx: Pick<NodePgDatabase, "select">, groupId: string) =>
    tx
      .select({ accountId: accounts.id, chatUserName: accounts.chatUserName })
      .from(imGroupMembers)
      .innerJoin(imGroups, eq(imGroups.id, imGroupMembers.groupId))
      .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
      .where(and(eq(imGroupMembers.groupId, groupId), sql`NOT ${belongs}`))
      .orderBy(imGroupMembers.id);

  /** @returns the events to send and their sender; null when another process has settled the group, or no member is left */
  async function settleOne(tx: Tx, groupId: string) {
    const [group] = await tx.select().from(imGroups).where(eq(imGroups.id, groupId)).for("update");
    if (group === undefined) return null;
    const gone = await readGone(tx, groupId);
    const [first] = gone;
    if (first === undefined) return null;
    const rest = await readMembers(tx, groupId);
    const owner = rest.find((m) => m.owner);
    const head = owner ?? rest.find((m) => m.admin) ?? rest[0];
    const leaver = gone.find((one) => one.accountId === group.ownerId) ?? first;
    const names = gone.map((one) => one.chatUserName);
    const about = { entity: "im-group", entityId: groupId };
    if (head === undefined) {
      await tx.delete(imGroups).where(eq(imGroups.id, groupId));
      const before = { name: group.name };
      await auditPlatform(tx, leaver, { ...about, action: "delete", before });
      return null;
    }
    await tx.delete(imGroupMembers).where(
      and(
        eq(imGroupMembers.groupId, groupId),
        inArray(
          imGroupMembers.accountId,
          gone.map((one) => one.accountId),
        ),
      ),
    );
    const events: GroupEvent[] = [
      { operation: MUC.kick, audience: names },
      ...names.map((from): GroupEvent => ({
        operation: MUC.absence,
        audience: ALL_MEMBERS,
        from,
        about: from,
        memberCount: rest.length,
      })),
    ];
    await auditPlatform(tx, leaver, {
      ...about,
      action: "remove-member",
      before: { members: names },
    });
    if (owner === undefined) {
      const { accountId: ownerId, chatUserName } = head;
      await tx.update(imGroups).set({ ownerId }).where(eq(imGroups.id, groupId));
      await tx
        .update(imGroupMembers)
        .set({ admin: false, mutedUntil: null })
        .where(and(eq(imGroupMembers.groupId, groupId), eq(imGroupMembers.accountId, ownerId)));
      await auditPlatform(tx, leaver, {
        ...about,
        action: "transfer",
        before: { owner: leaver.chatUserName },
        after: { owner: chatUserName },
      });
      events.push({ operation: MUC.assignOwner, audience: ALL_MEMBERS, about: chatUserName });
    }
    // No device acts, so all of this person's devices learn of it.
    return { actor: { userName: head.chatUserName, resource: "" }, group, events };
  }

  return {
    async settle(companyId) {
      const found = await db
        .selectDistinct({ id: imGroupMembers.groupId })
        .from(imGroupMembers)
        .innerJoin(imGroups, eq(imGroups.id, imGroupMembers.groupId))
        .where(
          and(
            companyId === null ? undefined : eq(imGroups.companyId, companyId),
            sql`NOT ${belongs}`,
          ),
        );
      for (const { id } of found) {
        const settled = await db.transaction((tx) => settleOne(tx, id));
        if (settled !== null) await stage.sendEvents(settled.actor, settled.group, settled.events);
      }
    },
  };
}
