/** Ends of logins that a process did not hear of (docs/server.md#end-of-access). */
import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { AccessEnd } from "../../base/cluster/access.ts";
import { AGAIN, createLocalBus } from "../../base/cluster/bus.ts";
import { openTestDatabase } from "../../base/database/database.harness.ts";
import type { Database } from "../../base/database/index.ts";
import { createManualClock } from "../../host.harness.ts";
import { createMissedEnds } from "./missed-ends.ts";
import { createAccountStore } from "./store.ts";

const log = pino({ level: "silent" });
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

let ids: Record<string, string> = {};
beforeEach(async () => {
  await database.db.execute(sql`TRUNCATE accounts CASCADE`);
  ids = {};
  for (const name of ["lina", "zhangwei"]) {
    const { rows } = await database.db.execute<{ id: string }>(sql`
      INSERT INTO accounts (username, nickname, password_hash, chat_user_name)
        VALUES (${name}, ${name}, 'x', ${name}) RETURNING id::text AS id`);
    ids[name] = rows[0]?.id ?? "";
    for (const n of [1, 2, 3]) {
      await database.db.execute(sql`
        INSERT INTO sessions (id, account_id, system_name, refresh_hash, created_at, refreshed_at, expires_at)
          VALUES (${`${name}-${n}`}, ${ids[name]}::bigint, 't', ${`${name}-${n}`}, now(), now(), now())`);
    }
  }
});
const revoke = (id: string, why: string | null) =>
  database.db.execute(
    sql`UPDATE sessions SET revoked_at = now(), end_reason = ${why} WHERE id = ${id}`,
  );

function listening(open: readonly string[], store = createAccountStore(database.db)) {
  const bus = createLocalBus(log);
  const clock = createManualClock();
  const missed = createMissedEnds({ store, bus, clock, log });
  const heard: AccessEnd[] = [];
  const other: AccessEnd[] = [];
  missed.add(
    (end) => heard.push(end),
    () => open,
  );
  missed.add(
    (end) => other.push(end),
    () => [],
  );
  return { bus, clock, missed, heard, other };
}

it("After an interruption, open logins that have ended are closed with their reasons, by one query", async () => {
  const store = createAccountStore(database.db);
  const asked: (readonly string[])[] = [];
  const open = ["lina-1", "lina-2", "zhangwei-1", "zhangwei-2", "gone"];
  const { bus, heard, other } = listening(open, {
    ...store,
    endedOf(sessionIds) {
      asked.push(sessionIds);
      return store.endedOf(sessionIds);
    },
  });
  await revoke("lina-1", "logout");
  await revoke("lina-3", "logout");
  await revoke("zhangwei-2", "an older reason");
  await bus.publish(AGAIN, null);
  const login = (name: string, sessionId: string, why: string) => ({
    of: "login",
    accountId: ids[name] ?? "",
    sessionId,
    why,
  });
  await expect.poll(() => heard.length).toBe(3);
  const bySession = (ends: AccessEnd[]) =>
    ends.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  expect(bySession(heard)).toEqual(
    bySession([
      login("lina", "lina-1", "logout"),
      login("zhangwei", "zhangwei-2", "signed-out"),
      login("", "gone", "signed-out"),
    ] as AccessEnd[]),
  );
  expect(other).toHaveLength(3);
  expect(asked).toEqual([open]);

  await database.db.execute(sql`UPDATE accounts SET disabled_at = now() WHERE username = 'lina'`);
  heard.length = 0;
  await bus.publish(AGAIN, null);
  await expect.poll(() => heard.length).toBe(4);
  expect(heard).toContainEqual(login("lina", "lina-2", "disabled"));
});

it("While the database is away too, it is asked again", async () => {
  const store = createAccountStore(database.db);
  let away = true;
  const { bus, clock, heard, missed } = listening(["lina-1"], {
    ...store,
    endedOf: (sessionIds) => (away ? Promise.reject(new Error("away")) : store.endedOf(sessionIds)),
  });
  await revoke("lina-1", "dismissed");
  await bus.publish(AGAIN, null);
  await expect.poll(() => clock.pending).toBe(1);
  expect(heard).toEqual([]);
  away = false;
  clock.advance(2000);
  await expect.poll(() => heard.length).toBe(1);
  expect(heard[0]).toMatchObject({ sessionId: "lina-1", why: "dismissed" });
  missed.stop();
  await bus.publish(AGAIN, null);
  expect(clock.pending).toBe(0);
});
