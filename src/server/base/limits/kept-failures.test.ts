import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { createManualClock } from "../../host.harness.ts";
import { openTestDatabase } from "../database/database.harness.ts";
import type { Database } from "../database/index.ts";
import { createLoginGuard, PAIR_FREE } from "../http/login-guard.ts";
import type { Attempts } from "./attempts.ts";
import { createKeptFailures, type KeptFailures } from "./kept-failures.ts";
import { createSlowdown } from "./slowdown.ts";
import { createThrottle } from "./throttle.ts";

let database: Database;
let failures: KeptFailures;
beforeAll(async () => {
  database = await openTestDatabase();
  failures = createKeptFailures({ db: database.db, secret: "s".repeat(40) });
}, 60_000);
beforeEach(() => database.db.execute(sql`DELETE FROM failed_guesses`));
afterAll(() => database.close());

const codeOf = async (work: Promise<boolean>): Promise<string> => {
  try {
    return (await work) ? "good" : "wrong";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
};
const rows = async (): Promise<Record<string, unknown>[]> =>
  (await database.db.execute(sql`SELECT * FROM failed_guesses`)).rows;

const KINDS: readonly [string, (clock: ReturnType<typeof createManualClock>) => Attempts][] = [
  [
    "a slowdown",
    (clock) =>
      createSlowdown(
        clock,
        { free: 3, firstMs: 1000, longestMs: 8000, leakMs: 60_000, forgive: true },
        { failures, kind: "second-factor" },
      ),
  ],
  [
    "a throttle",
    (clock) =>
      createThrottle(
        clock,
        { failures: 3, withinMs: 60_000, forgive: true },
        { failures, kind: "own-password" },
      ),
  ],
];

it.each(KINDS)("Failures count at every process and after a restart (%s)", async (_, create) => {
  const clock = createManualClock();
  const [here, there] = [create(clock), create(clock)];
  const wrong = () => Promise.resolve(false);
  const right = () => Promise.resolve(true);
  expect(await codeOf(here.run("7", wrong))).toBe("wrong");
  expect(await codeOf(there.run("7", wrong))).toBe("wrong");
  expect(await codeOf(here.run("7", wrong))).toBe("wrong");
  for (const process of [here, there, create(clock)]) {
    expect(await codeOf(process.run("7", right))).toBe("auth.locked");
    expect(await codeOf(process.run("8", right))).toBe("good");
  }
  clock.advance(60_000);
  expect(await codeOf(there.run("7", right))).toBe("good");
  // A success forgives, for everybody.
  expect(await rows()).toEqual([]);
  expect(await codeOf(create(clock).run("7", wrong))).toBe("wrong");
});

it("A login asks once, a right one writes nothing, and a wrong one leaves no name and no address", async () => {
  const clock = createManualClock();
  const asked: number[] = [];
  const counted: KeptFailures = {
    ...failures,
    times(keys) {
      asked.push(keys.length);
      return failures.times(keys);
    },
    clear: () => Promise.reject(new Error("nothing to forgive")),
  };
  const who = { name: "Lina", address: "192.0.2.7" };
  expect(await createLoginGuard(clock, counted).run(who, () => Promise.resolve(true))).toBe(true);
  expect([asked, await rows()]).toEqual([[2], []]);
  for (let n = 0; n < PAIR_FREE; n += 1) {
    // Each at a process that has just started.
    await createLoginGuard(clock, counted).run(who, () => Promise.resolve(false));
  }
  const last = createLoginGuard(clock, failures).run(who, () => Promise.resolve(true));
  expect(await codeOf(last)).toBe("auth.locked");
  const kept = await rows();
  expect(kept).toHaveLength(2 * PAIR_FREE);
  expect(JSON.stringify(kept)).not.toMatch(/lina|192\.0/i);
  expect(await failures.sweep(clock.now() + 23 * 3_600_000)).toBe(0);
  expect(await failures.sweep(clock.now() + 25 * 3_600_000)).toBe(2 * PAIR_FREE);
});
