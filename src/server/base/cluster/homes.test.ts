import { randomUUID } from "node:crypto";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "../database/index.ts";
import { openTestDatabase } from "../database/database.harness.ts";
import type { Clock } from "../module.ts";
import { createHomes } from "./homes.ts";
import type { Homes, Inside } from "./index.ts";

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

/** A clock that sends heartbeats on demand. Liveness depends on the database's clock only. */
function manual() {
  const waiting = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    setTimeout(run) {
      waiting.add(run);
      return { cancel: () => void waiting.delete(run) };
    },
  };
  return {
    clock,
    waiting,
    tick(): void {
      for (const run of Array.from(waiting)) {
        waiting.delete(run);
        run();
      }
    },
  };
}

interface Process {
  readonly homes: Homes;
  readonly url: string;
  readonly members: Map<string, number>;
  readonly lost: string[];
  readonly timers: ReturnType<typeof manual>;
  beat(): Promise<void>;
}
async function process(url: string): Promise<Process> {
  const timers = manual();
  const members = new Map<string, number>();
  const lost: string[] = [];
  const here: Inside = { members: () => members, lost: (ids) => void lost.push(...ids) };
  const { clock } = timers;
  const log = pino({ level: "silent" });
  const homes = createHomes({ pool: database.pool, clock, log, url });
  await homes.start(here);
  return {
    homes,
    url,
    members,
    lost,
    timers,
    async beat() {
      timers.tick();
      await expect.poll(() => timers.waiting.size).toBe(1);
    },
  };
}
/** Simulates a process that has been silent for long. */
const silence = (url: string): Promise<unknown> =>
  database.pool.query(
    "UPDATE server_processes SET seen_at = now() - interval '1 minute' WHERE url = $1",
    [url],
  );

const A = "http://10.0.0.1:8080";
const B = "http://10.0.0.2:8080";
let a: Process;
let b: Process;
let id: string;
beforeEach(async () => {
  await database.pool.query("DELETE FROM server_processes");
  [a, b] = [await process(A), await process(B)];
  id = randomUUID();
  await database.pool.query(
    "INSERT INTO conferences (id, type, caller, created_at, active_at) VALUES ($1, 10, 'lina', now(), now())",
    [id],
  );
});

it("The first process to claim a conference becomes its home, and all others find it there", async () => {
  expect(await b.homes.find(id)).toBeNull();
  expect(await a.homes.claim(id)).toBeNull();
  expect(await b.homes.claim(id)).toBe(A);
  expect(await b.homes.find(id)).toBe(A);
  expect(await a.homes.claim(id)).toBeNull();
  expect(a.homes.address("/conference", id)).toBe(`/conference?confr=${id}`);
});

it("One of several simultaneous claims wins", async () => {
  const claimed = await Promise.all([a, b, a, b].map(({ homes }) => homes.claim(id)));
  const homes = new Set(claimed.map((url, i) => url ?? [A, B, A, B][i]));
  expect(homes.size).toBe(1);
});

it("An invalid conference id has no home", async () => {
  for (const odd of ["", "x'; --", randomUUID()]) {
    expect(await a.homes.claim(odd)).toBeNull();
    expect(await b.homes.claim(odd)).toBeNull();
  }
});

it("A silent process loses its conferences, and learns of it when it resumes", async () => {
  await a.homes.claim(id);
  a.members.set(id, 3);
  await a.beat();
  expect(await b.homes.membersElsewhere([id, randomUUID()])).toEqual(new Map([[id, 3]]));
  await silence(A);
  expect(await b.homes.find(id)).toBeNull();
  expect(await b.homes.membersElsewhere([id])).toEqual(new Map());
  expect(await b.homes.claim(id)).toBeNull();
  expect(a.lost).toEqual([]);
  await a.beat();
  expect(a.lost).toEqual([id]);
  expect(await a.homes.claim(id)).toBe(B);
});

it("A stopping process releases its conferences immediately, and a restart at the same address is a new process", async () => {
  await a.homes.claim(id);
  await a.homes.stop();
  await a.homes.stop();
  expect(a.timers.waiting.size).toBe(0);
  expect(await b.homes.claim(id)).toBeNull();
  // A killed process announces nothing. The next process at its address removes it.
  await process(B);
  const again = await process(A);
  expect(await again.homes.claim(id)).toBeNull();
});

it("Member counts are published when they change, and those of dead processes do not count", async () => {
  await a.homes.claim(id);
  a.members.set(id, 2);
  await a.beat();
  a.members.clear();
  await a.beat();
  expect(await b.homes.membersElsewhere([id])).toEqual(new Map());
});

it("A process continues after the database was unavailable", async () => {
  await a.homes.claim(id);
  await database.pool.query("ALTER TABLE server_processes RENAME TO gone");
  await a.beat();
  await database.pool.query("ALTER TABLE gone RENAME TO server_processes");
  await a.beat();
  expect(await b.homes.claim(id)).toBe(A);
});
