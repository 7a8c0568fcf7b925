import { expect, it } from "vitest";
import { createFakeEnv } from "./core.fake.ts";
import { createKeptState } from "./kept-state.ts";

function setUp() {
  const env = createFakeEnv();
  const logged: string[] = [];
  const kept = createKeptState<{ n: number }>(
    { ...env, log: (_scope, _level, text) => void logged.push(text) },
    {
      key: "kept",
      scope: "calls",
      what: "the call",
      read: (stored) =>
        typeof stored === "object" && stored !== null && "n" in stored
          ? (stored as { n: number })
          : null,
    },
  );
  return { env, kept, logged };
}
const settle = async (): Promise<void> => {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
};

it("The next core loads the latest state, and nothing after the state was removed", async () => {
  const { env, kept, logged } = setUp();
  expect(await kept.load()).toBeNull();
  const state = { n: 1 };
  const first = kept.save(state);
  state.n = 7;
  void kept.save({ n: 2 });
  await kept.save({ n: 3 });
  await first;
  expect(await env.kv.get("kept")).toEqual({ n: 3 });
  expect(await kept.load()).toEqual({ n: 3 });
  await kept.save(null);
  expect([await env.kv.get("kept"), logged]).toEqual([undefined, []]);
  await env.kv.set("kept", "of another build");
  expect(await kept.load()).toBeNull();
  expect(logged).toEqual(["the call that is stored is not a valid one"]);
});

it("A read that fails is tried again, so that the call is not lost; the third failure is logged", async () => {
  const { env, kept, logged } = setUp();
  await kept.save({ n: 1 });
  const { get } = env.kv;
  let failures = 2;
  let reads = 0;
  env.kv.get = (key) => {
    reads += 1;
    failures -= 1;
    return failures < 0 ? get(key) : Promise.reject(new DOMException("", "UnknownError"));
  };
  const loaded = kept.load();
  for (let n = 0; n < 2; n += 1) {
    await settle();
    env.clock.advance(200);
  }
  expect([await loaded, reads, logged]).toEqual([{ n: 1 }, 3, []]);

  failures = 3;
  const lost = kept.load();
  for (let n = 0; n < 2; n += 1) {
    await settle();
    env.clock.advance(200);
  }
  expect([await lost, logged]).toEqual([null, ["the call could not be read (UnknownError)"]]);
  expect(env.clock.pending).toBe(0);
});

it("A state that cannot be stored is logged, and the next one is stored", async () => {
  const { env, kept, logged } = setUp();
  const { set } = env.kv;
  env.kv.set = () => Promise.reject(new DOMException("", "QuotaExceededError"));
  await kept.save({ n: 1 });
  env.kv.set = set;
  await kept.save({ n: 2 });
  expect(logged).toEqual(["the call could not be stored (QuotaExceededError)"]);
  expect(await kept.load()).toEqual({ n: 2 });
});
