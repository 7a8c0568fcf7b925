/** Registers accounts with Easemob's cloud, and copies its friends (docs/chat.md#easemobs-cloud). */
import { randomBytes } from "node:crypto";
import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { alias } from "drizzle-orm/pg-core";
import { CLOUD_DATA_SENDER } from "../../../../shared/protocol/data-changed.ts";
import { REGISTER_MAX } from "../../../../shared/protocol/easemob-rest.ts";
import { accounts, employees, sessions } from "../../../base/database/schema/base.ts";
import { chatCloudPeople } from "../../../base/database/schema/chat.ts";
import { imFriends } from "../../../base/database/schema/im.ts";
import { auditPlatform } from "../../../base/audit/index.ts";
import { readPeople } from "../groups/facts.ts";
import type { CloudProvider } from "./provider.ts";

export interface CloudPeople {
  /** Registers the accounts that are not registered yet, and the sender of changed data. */
  registerAll(): Promise<void>;
  /** Makes the copy of a friendship equal, after what was done with it at the provider. */
  friends(operation: string, from: string, to: string): Promise<void>;
  /** Makes the copies of all friendships equal that differ from the provider's. Requests that wait for an answer stay. */
  allFriends(): Promise<void>;
  /** Chat user names of those members of a company, or of all, who are logged in. */
  loggedIn(companyId: string | null, now: number): Promise<string[]>;
}

export function createCloudPeople(deps: {
  readonly db: NodePgDatabase;
  readonly appKey: string;
  readonly provider: Pick<CloudProvider, "register" | "friends">;
}): CloudPeople {
  const { db, appKey, provider } = deps;
  let registering: Promise<void> = Promise.resolve();

  const missing = () =>
    db
      .select({
        accountId: accounts.id,
        userName: accounts.chatUserName,
        nickname: accounts.nickname,
      })
      .from(accounts)
      .leftJoin(
        chatCloudPeople,
        and(eq(chatCloudPeople.accountId, accounts.id), eq(chatCloudPeople.appKey, appKey)),
      )
      .where(and(isNull(chatCloudPeople.accountId), isNull(accounts.disabledAt)))
      .orderBy(accounts.id)
      .limit(REGISTER_MAX);

  let hasSender = false;
  // Nobody knows it: people log in with tokens.
  const password = (): string => randomBytes(24).toString("base64url");

  async function registerSender(): Promise<void> {
    if (hasSender) return;
    await provider.register([
      { username: CLOUD_DATA_SENDER, password: password(), nickname: CLOUD_DATA_SENDER },
    ]);
    hasSender = true;
  }

  async function registerMissing(): Promise<void> {
    await registerSender();
    for (;;) {
      const people = await missing();
      if (people.length === 0) return;
      await provider.register(
        people.map(({ userName, nickname }) => ({
          username: userName,
          password: password(),
          nickname: nickname.slice(0, 100),
        })),
      );
      await db
        .insert(chatCloudPeople)
        .values(people.map(({ accountId }) => ({ appKey, accountId })))
        .onConflictDoNothing();
    }
  }

  /** Chat user names of those with whom the account is friends by the copy. */
  async function friendsHere(accountId: string): Promise<string[]> {
    const back = alias(imFriends, "back");
    const rows = await db
      .select({ userName: accounts.chatUserName })
      .from(imFriends)
      .innerJoin(
        back,
        and(eq(back.accountId, imFriends.friendId), eq(back.friendId, imFriends.accountId)),
      )
      .innerJoin(accounts, eq(accounts.id, imFriends.friendId))
      .where(eq(imFriends.accountId, accountId));
    return rows.map(({ userName }) => userName);
  }

  async function copyFriends(operation: string, from: string, to: string): Promise<void> {
    const people = await readPeople(db, [from, to]);
    const asker = people.find((p) => p.chatUserName === from);
    const other = people.find((p) => p.chatUserName === to);
    if (asker === undefined || other === undefined || asker === other) return;
    const agreed = (await provider.friends(from)).includes(to);
    const pair = (a: string, b: string) =>
      and(eq(imFriends.accountId, a), eq(imFriends.friendId, b));
    const both = or(pair(asker.accountId, other.accountId), pair(other.accountId, asker.accountId));
    const own = { accountId: asker.accountId, friendId: other.accountId };
    const rows = agreed
      ? [own, { accountId: other.accountId, friendId: asker.accountId }]
      : operation === "add"
        ? [own]
        : [];
    await db.transaction(async (tx) => {
      const before = await tx.select({ id: imFriends.id }).from(imFriends).where(both);
      if (!agreed) await tx.delete(imFriends).where(both);
      if (rows.length > 0) await tx.insert(imFriends).values(rows).onConflictDoNothing();
      if (before.length === rows.length) return;
      await auditPlatform(tx, null, {
        action: "reconcile",
        entity: "im-friend",
        entityId: asker.accountId,
        before: { friendId: other.accountId, sides: before.length },
        after: { friendId: other.accountId, sides: rows.length },
      });
    });
  }

  return {
    async registerAll() {
      registering = registering.catch(() => undefined).then(registerMissing);
      await registering;
    },
    friends: copyFriends,
    async allFriends() {
      const people = await db
        .select({ accountId: accounts.id, userName: accounts.chatUserName })
        .from(accounts)
        .innerJoin(
          chatCloudPeople,
          and(eq(chatCloudPeople.accountId, accounts.id), eq(chatCloudPeople.appKey, appKey)),
        )
        .where(isNull(accounts.disabledAt));
      for (const { accountId, userName } of people) {
        const [there, here] = await Promise.all([
          provider.friends(userName),
          friendsHere(accountId),
        ]);
        const differing = [
          ...there.filter((name) => !here.includes(name)),
          ...here.filter((name) => !there.includes(name)),
        ];
        for (const name of differing) await copyFriends("compare", userName, name);
      }
    },
    async loggedIn(companyId, now) {
      const rows = await db
        .selectDistinct({ userName: accounts.chatUserName })
        .from(accounts)
        .innerJoin(sessions, eq(sessions.accountId, accounts.id))
        .where(
          and(
            isNull(sessions.revokedAt),
            gt(sessions.expiresAt, new Date(now)),
            isNull(accounts.disabledAt),
            companyId === null
              ? undefined
              : inArray(
                  accounts.id,
                  db
                    .select({ id: sql<string>`${employees.accountId}` })
                    .from(employees)
                    .where(and(eq(employees.companyId, companyId), isNull(employees.dimissionAt))),
                ),
          ),
        );
      return rows.map(({ userName }) => userName);
    },
  };
}
