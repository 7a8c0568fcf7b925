import { expect, test } from "vitest";
import { initialSlices } from "../../shared/protocol/initial-state.ts";
import { createFakeEnv } from "./core.fake.ts";
import { createServerTime } from "./server-time.ts";
import { createStore } from "./store/index.ts";

test("The server's time is the machine's plus the difference that answers have shown", () => {
  const env = createFakeEnv();
  const now = env.clock.now();
  const store = createStore({
    clock: env.clock,
    epoch: "e",
    newId: env.newId,
    slices: initialSlices({ coreId: "c", build: "b", now }),
  });
  const time = createServerTime(env.clock, store);
  expect([time.now(), time.fromLocal(5)]).toEqual([now, 5]);
  store.set(["session", "serverTimeOffset"], -49 * 3_600_000);
  env.clock.advance(10);
  expect([time.now(), time.fromLocal(5)]).toEqual([now + 10 - 49 * 3_600_000, 5 - 49 * 3_600_000]);
});
