import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { stagedChunkKey } from "../../../shared/protocol/import-staging.ts";
import { COMPANY, createWorld, KEY, stage } from "./imports.harness.ts";

const context = { tabId: "t", id: "1" };
const user = (accountId: string, supplierId: string) => ({
  accountId,
  username: "u",
  name: "u",
  supplierId,
});
const bytes = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
type World = ReturnType<typeof createWorld>;
const state = (world: World, key = KEY) => world.entries[key]?.state;
const stored = (world: World): number[] =>
  world.server.stored.map(({ byte }) => byte).sort((a, b) => a - b);
const failure = async (run: Promise<unknown>): Promise<string> => {
  try {
    await run;
    return "none";
  } catch (error) {
    return AppError.from(error).code;
  }
};

test("A staged import is sent, its chunks are deleted from storage, and one notice reports the end", async () => {
  const world = createWorld();
  const { imports } = world.start();
  await stage(world.kv);
  await imports.handlers.start({ key: KEY }, context);
  expect(await world.until(() => state(world) === "done")).toBe(true);
  expect(stored(world)).toEqual(bytes(8));
  expect(world.history).toEqual(["staged", "sending", "done"]);
  expect(world.entries[KEY]).toMatchObject({
    jobId: "100",
    rows: 80,
    sent: 80,
    created: 80,
    chunksDone: 8,
    rate: null,
    error: null,
  });
  await world.until(() => world.notices.length > 0, 0);
  expect(world.notices).toEqual(["导入完成：新增 80 人（员工.xlsx）"]);
  await world.until(() => false, 1000);
  expect(await world.kv.keys()).toEqual([`kept:${KEY}`]);
  expect(world.server.calls()).toBe(9);
});

test("A chunk is deleted only after its acknowledgement was stored", async () => {
  const world = createWorld();
  const order: string[] = [];
  const { set, delMany } = world.kv;
  Object.assign(world.kv, {
    set: (key: string, value: { acked?: number[] }) => {
      if (key.startsWith("kept:")) order.push(`kept ${value.acked?.join(",") ?? ""}`);
      return set(key, value);
    },
    delMany: (keys: readonly string[]) => {
      order.push(...keys.map((key) => `del ${key.split(":")[2] ?? "record"}`));
      return delMany(keys);
    },
  });
  await stage(world.kv, { chunks: 3 });
  world.start();
  await world.until(() => state(world) === "done");
  for (const index of [0, 1, 2]) {
    const deleted = order.indexOf(`del ${index}`);
    const known = order.findIndex((one) => one.startsWith("kept") && one.includes(String(index)));
    expect(known).toBeGreaterThanOrEqual(0);
    expect(deleted).toBeGreaterThan(known);
  }
});

test("When any request fails before or after its effect, the import waits and retries, and no row is stored twice", async () => {
  for (const kind of ["before", "after"] as const) {
    for (let point = 1; point <= 7; point += 1) {
      const world = createWorld();
      await stage(world.kv, { chunks: 6 });
      world.setFault((n) => (n === point ? kind : null));
      world.start();
      expect(await world.until(() => state(world) === "done"), `${kind} ${point}`).toBe(true);
      expect(stored(world)).toEqual(bytes(6));
      expect(world.history).toContain("waiting");
    }
  }
});

test("While the server fails, the import waits and shows the error, and it continues once the server works", async () => {
  const world = createWorld();
  await stage(world.kv);
  world.setFault(() => "before");
  world.start();
  await world.until(() => state(world) === "waiting");
  expect(world.entries[KEY]?.error?.code).toBe("server.unavailable");
  await world.until(() => false, 60_000);
  const first = world.server.calls();
  expect(first).toBe(0);
  world.setFault(null);
  expect(await world.until(() => state(world) === "done", 10_000)).toBe(true);
  expect(world.entries[KEY]?.error).toBe(null);
});

test("An import waits while the network is away and continues at once when it is back", async () => {
  const world = createWorld();
  await stage(world.kv, { chunks: 20 });
  world.start();
  await world.until(() => world.server.stored.length >= 5);
  world.online.set(false);
  await world.until(() => state(world) === "waiting");
  expect(world.entries[KEY]?.error?.code).toBe("network.offline");
  await world.until(() => false, 120_000);
  const before = world.server.stored.length;
  world.online.set(true);
  // Without any passing of time.
  expect(await world.until(() => world.server.stored.length > before, 0)).toBe(true);
  await world.until(() => state(world) === "done");
  expect(stored(world)).toEqual(bytes(20));
});

test("Chunks on dead connections are sent again soon after the network is back", async () => {
  const world = createWorld();
  await stage(world.kv, { chunks: 20 });
  world.start();
  await world.until(() => world.server.stored.length >= 5);
  world.setFault(() => "silent");
  await world.until(() => false, 30_000);
  const before = world.server.stored.length;
  expect(before).toBeLessThan(20);
  world.setFault(null);
  world.online.set(false);
  world.online.set(true);
  expect(await world.until(() => world.server.stored.length > before, 2_000)).toBe(true);
  await world.until(() => state(world) === "done");
  expect(stored(world)).toEqual(bytes(20));
});

test("When the core is killed at any point, the next core on the same storage sends each row exactly once", async () => {
  const whole = createWorld();
  await stage(whole.kv, { chunks: 6 });
  const one = whole.start();
  await whole.until(() => state(whole) === "done");
  await whole.until(() => false, 1000);
  const points = one.ops();
  expect(points).toBeGreaterThan(25);
  for (let at = 1; at <= points; at += 1) {
    for (const afterEffect of [false, true]) {
      const world = createWorld();
      await stage(world.kv, { chunks: 6 });
      const first = world.start({ at, afterEffect });
      await world.until(() => !first.alive(), 5_000);
      expect(first.alive(), `point ${at}`).toBe(false);
      world.start();
      expect(await world.until(() => state(world) === "done"), `${at} ${afterEffect}`).toBe(true);
      await world.until(() => false, 1000);
      expect(stored(world), `point ${at} ${afterEffect}`).toEqual(bytes(6));
      expect(await world.kv.keys()).toEqual([`kept:${KEY}`]);
      expect(world.entries[KEY]).toMatchObject({ sent: 60, created: 60 });
    }
  }
});

test("Each row is sent once although twenty cores are killed at random points on an unreliable network", async () => {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const world = createWorld();
  await stage(world.kv, { chunks: 150 });
  world.setFault(() => (random() < 0.1 ? (random() < 0.5 ? "before" : "after") : null));
  let kills = 0;
  for (; kills < 20; kills += 1) {
    const at = 4 + Math.floor(random() * 30);
    const core = world.start({ at, afterEffect: random() < 0.5 });
    await world.until(() => !core.alive(), 60_000);
    expect(core.alive()).toBe(false);
    expect(state(world)).not.toBe("done");
  }
  world.start();
  expect(await world.until(() => state(world) === "done")).toBe(true);
  expect(stored(world)).toEqual(bytes(150));
});

test("A paused import stays paused in the next core, and sends the rest when resumed", async () => {
  const world = createWorld();
  await stage(world.kv, { chunks: 20 });
  const first = world.start();
  await world.until(() => world.server.stored.length >= 4);
  await first.imports.handlers.pause({ key: KEY }, context);
  await world.until(() => false, 1000);
  const sent = world.server.stored.length;
  expect(sent).toBeLessThan(20);
  first.kill();
  const second = world.start();
  await world.until(() => false, 60_000);
  expect(state(world)).toBe("paused");
  expect(world.server.stored).toHaveLength(sent);
  await second.imports.handlers.resume({ key: KEY }, context);
  await world.until(() => state(world) === "done");
  expect(stored(world)).toEqual(bytes(20));
});

test("A cancel stops the sending and reaches the server, even when the core dies in between", async () => {
  for (let at = 1; at <= 6; at += 1) {
    const world = createWorld();
    await stage(world.kv, { chunks: 30 });
    const first = world.start();
    await world.until(() => world.server.stored.length >= 4);
    first.kill();
    const second = world.start();
    await world.until(() => world.server.stored.length >= 8);
    world.setFault(() => "before");
    await second.imports.handlers.cancel({ key: KEY }, context);
    second.kill();
    world.setFault((n) => (n % 2 === at % 2 ? "after" : null));
    world.start();
    expect(await world.until(() => state(world) === "cancelled")).toBe(true);
    expect([...world.server.jobs.values()]).toMatchObject([{ state: "cancelled" }]);
    const sent = world.server.stored.length;
    expect(sent).toBeLessThan(30);
    await world.until(() => false, 10_000);
    expect(world.server.stored).toHaveLength(sent);
    expect(await world.kv.keys()).toEqual([`kept:${KEY}`]);
    expect(world.notices).toEqual([`导入已取消：已新增 ${sent * 10} 人，其余未导入（员工.xlsx）`]);
  }
});

test("A file that was imported before is reported as such, and nothing is sent again", async () => {
  const world = createWorld();
  await stage(world.kv);
  const { imports } = world.start();
  await world.until(() => state(world) === "done");
  await world.until(() => false, 250);
  await stage(world.kv, { stagedAt: 2 });
  await imports.handlers.start({ key: KEY }, context);
  await world.until(() => world.notices.length === 2);
  expect(world.notices[1]).toBe("该文件此前已导入，没有重复导入（员工.xlsx）");
  expect(stored(world)).toEqual(bytes(8));
  expect(await world.kv.keys()).toEqual([`kept:${KEY}`]);
});

test("A cancelled import that is staged again sends the rest, and no row is stored twice", async () => {
  const world = createWorld();
  await stage(world.kv, { chunks: 12 });
  const { imports } = world.start();
  await world.until(() => world.server.stored.length >= 4);
  await imports.handlers.cancel({ key: KEY }, context);
  await world.until(() => state(world) === "cancelled");
  await world.until(() => false, 250);
  await stage(world.kv, { chunks: 12, stagedAt: 2 });
  await imports.handlers.start({ key: KEY }, context);
  expect(await world.until(() => state(world) === "done")).toBe(true);
  expect(stored(world)).toEqual(bytes(12));
});

test("When another person cancels the job, nothing more is sent", async () => {
  const world = createWorld();
  await stage(world.kv, { chunks: 12 });
  world.server.refuse((call, n) =>
    call.id === "imports.chunk" && n > 5 ? new AppError("import.closed") : null,
  );
  world.start();
  expect(await world.until(() => state(world) === "cancelled")).toBe(true);
  await world.until(() => false, 250);
  expect(await world.kv.keys()).toEqual([`kept:${KEY}`]);
});

test("An import that the server refuses fails with the server's message, and can be resumed", async () => {
  const world = createWorld();
  await stage(world.kv);
  world.server.refuse(() => new AppError("auth.forbidden"));
  const { imports } = world.start();
  await world.until(() => state(world) === "failed");
  expect(world.entries[KEY]?.error?.code).toBe("auth.forbidden");
  await world.until(() => world.notices.length > 0, 0);
  expect(world.notices).toEqual(["导入失败：没有权限进行此操作（员工.xlsx）"]);
  await world.until(() => false, 60_000);
  expect(world.server.calls()).toBe(1);
  world.server.refuse(null);
  await imports.handlers.resume({ key: KEY }, context);
  expect(await world.until(() => state(world) === "done")).toBe(true);
  expect(stored(world)).toEqual(bytes(8));
});

test("An import whose rows the browser deleted fails, and continues when it is staged again", async () => {
  const world = createWorld();
  await stage(world.kv);
  await world.kv.del(stagedChunkKey(KEY, 5));
  const { imports } = world.start();
  await world.until(() => state(world) === "failed");
  expect(world.entries[KEY]?.error?.code).toBe("import.staging-lost");
  await stage(world.kv, { stagedAt: 2 });
  await imports.handlers.start({ key: KEY }, context);
  expect(await world.until(() => state(world) === "done")).toBe(true);
  expect(stored(world)).toEqual(bytes(8));
});

test("The import of another account or company waits until its owner logs in", async () => {
  const world = createWorld();
  await stage(world.kv, { chunks: 20 });
  const other = "b".repeat(64);
  await stage(world.kv, { key: other, supplierId: "2", chunks: 3 });
  const { imports } = world.start();
  await world.until(() => world.server.stored.length >= 4);
  expect(await failure(imports.handlers.start({ key: other }, context))).toBe("request.not-found");
  world.setUser(user("8", COMPANY));
  expect(world.entries).toEqual({});
  await world.until(() => false, 30_000);
  const sent = world.server.stored.length;
  expect(sent).toBeLessThan(20);
  world.setUser(null);
  world.setUser(user("7", "2"));
  expect(await world.until(() => state(world, other) === "done")).toBe(true);
  expect(world.entries[KEY]).toBeUndefined();
  expect(world.server.stored.slice(sent).map(({ supplierId }) => supplierId)).toEqual([
    "2",
    "2",
    "2",
  ]);
  world.setUser(user("7", COMPANY));
  expect(await world.until(() => state(world) === "done")).toBe(true);
  const ownRows = world.server.stored.filter(({ supplierId }) => supplierId === COMPANY);
  expect(ownRows.map(({ byte }) => byte).sort((a, b) => a - b)).toEqual(bytes(20));
});

test("An import waits while the login is being renewed", async () => {
  const world = createWorld();
  await stage(world.kv);
  world.server.refuse((_, n) => (n < 4 ? new AppError("auth.expired") : null));
  world.start();
  expect(await world.until(() => state(world) === "done")).toBe(true);
});

test("Imports are sent one at a time, in the order of their staging", async () => {
  const world = createWorld();
  const keys = ["c", "d", "e"].map((sign) => sign.repeat(64));
  for (const [i, key] of keys.entries()) {
    await stage(world.kv, { key, stagedAt: 10 - i, chunks: 5 });
  }
  world.start();
  await world.until(() => keys.every((key) => state(world, key) === "done"));
  const order = [...new Set(world.server.stored.map(({ id }) => world.server.jobs.get(id)?.key))];
  expect(order).toEqual(keys.toReversed());
});

test("Rate and remaining time are computed by the wall clock over the last chunks", async () => {
  const world = createWorld();
  await stage(world.kv, { chunks: 40 });
  world.server.refuse(() => {
    world.clock.advance(100);
    return null;
  });
  world.start();
  await world.until(() => world.server.stored.length >= 20);
  const entry = world.entries[KEY];
  // Ten rows per 100 ms.
  expect(entry?.rate).toBeGreaterThan(80);
  expect(entry?.rate).toBeLessThan(125);
  const left = ((80 * 5 - (entry?.sent ?? 0)) / (entry?.rate ?? 1)) * 1000;
  expect(entry?.left).toBeCloseTo(left, -1);
});

test("An import can be dismissed only after it has ended", async () => {
  const world = createWorld();
  await stage(world.kv, { chunks: 30 });
  const { imports } = world.start();
  await world.until(() => world.server.stored.length >= 2);
  expect(await failure(imports.handlers.dismiss({ key: KEY }, context))).toBe("request.conflict");
  await world.until(() => state(world) === "done");
  await imports.handlers.dismiss({ key: KEY }, context);
  expect(world.entries).toEqual({});
  expect(await world.kv.keys()).toEqual([]);
  expect(await failure(imports.handlers.pause({ key: KEY }, context))).toBe("request.not-found");
});

test("A stopped core stores nothing more, and the next core continues", async () => {
  const world = createWorld();
  await stage(world.kv, { chunks: 20 });
  const first = world.start();
  await world.until(() => world.server.stored.length >= 5);
  first.imports.stop();
  const kept = JSON.stringify(await world.kv.get(`kept:${KEY}`));
  await world.until(() => false, 10_000);
  expect(JSON.stringify(await world.kv.get(`kept:${KEY}`))).toBe(kept);
  world.start();
  await world.until(() => state(world) === "done");
  expect(stored(world)).toEqual(bytes(20));
});

test("A chunk is sent again after the time that a busy server names: nothing is lost, and the import is not shown as waiting", async () => {
  const world = createWorld();
  await stage(world.kv, { chunks: 12 });
  const asked: number[] = [];
  let refusals = 0;
  world.server.refuse((call) => {
    if (call.id !== "imports.chunk") return null;
    asked.push(world.clock.now());
    if (asked.length % 3 !== 0) return null;
    refusals += 1;
    return new AppError("request.rate-limited", { details: { retryAfter: 7 } });
  });
  world.start();
  const began = world.clock.now();
  expect(await world.until(() => state(world) === "done")).toBe(true);
  expect(stored(world)).toEqual(bytes(12));
  expect(refusals).toBeGreaterThan(3);
  expect(world.history).toEqual(["staged", "sending", "done"]);
  // There are three lanes, and each refusal holds one of them for at least seven seconds.
  expect(world.clock.now() - began).toBeGreaterThanOrEqual((refusals / 3) * 7000);
});
