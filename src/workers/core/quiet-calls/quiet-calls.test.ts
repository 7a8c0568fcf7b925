import { expect, test } from "vitest";
import { QUIET_CALLS } from "../../../shared/protocol/quiet-calls.ts";
import type { Http, SessionUser } from "../contracts.ts";
import { createFakeEnv, settle } from "../core.fake.ts";
import { createQuietCalls } from "./index.ts";

const person = (accountId: string): SessionUser => ({
  accountId,
  username: "u",
  name: "n",
  supplierId: null,
});

function setUp() {
  const env = createFakeEnv();
  const state = { user: person("a1") as SessionUser | null, value: "", down: false };
  const handlers = new Set<(user: SessionUser | null) => void>();
  const call = () =>
    state.down
      ? Promise.reject(new Error("down"))
      : Promise.resolve({ preferences: [{ key: QUIET_CALLS, value: state.value }] });
  const make = () =>
    createQuietCalls({
      env,
      http: { call: call as unknown as Http["call"] },
      session: {
        user: () => state.user,
        onUser: (handler) => {
          handlers.add(handler);
          return () => handlers.delete(handler);
        },
      },
    });
  return { state, make, handlers };
}

test("The preference is read at the start and with each change; a value that is none counts as not quiet", async () => {
  const { state, make, handlers } = setUp();
  state.value = JSON.stringify({ on: true, note: "回电" });
  const quiet = make();
  await settle();
  expect(quiet.now()).toEqual({ on: true, note: "回电" });
  state.value = "no JSON";
  quiet.changed();
  await settle();
  expect(quiet.now()).toEqual({ on: false, note: "" });
  quiet.stop();
  expect(handlers.size).toBe(0);
});

test("While the server does not answer the copy of the same account counts, and no copy of another", async () => {
  const { state, make } = setUp();
  state.value = JSON.stringify({ on: true, note: "" });
  make().stop();
  const first = make();
  await settle();
  first.stop();
  state.down = true;
  const next = make();
  await settle();
  expect(next.now().on).toBe(true);
  state.user = person("a2");
  expect(next.now().on).toBe(false);
  next.stop();
});
