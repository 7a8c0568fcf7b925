import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { Http, SessionUser } from "../contracts.ts";
import { createFakeEnv, settle } from "../core.fake.ts";
import { createClientErrors } from "./index.ts";

const zhangwei: SessionUser = {
  accountId: "a1",
  username: "zhangwei",
  name: "张伟",
  supplierId: "s1",
};
const lina: SessionUser = { ...zhangwei, accountId: "a2", username: "lina", name: "李娜" };

interface Sent {
  readonly at: string | null;
  readonly errors: readonly {
    message: string;
    count: number;
    path: string;
    age: number;
    key: string;
  }[];
}

function setUp(env = createFakeEnv(), first: SessionUser | null = zhangwei) {
  const sent: Sent[] = [];
  const state = { user: first, failing: null as AppError | null };
  const listeners = new Set<(user: SessionUser | null) => void>();
  const call = ((
    _call: unknown,
    input: { body: { errors: Sent["errors"] } },
    options: { supplierId: string },
  ) => {
    if (state.failing !== null) return Promise.reject(state.failing);
    sent.push({ at: options.supplierId, errors: input.body.errors });
    return Promise.resolve(null);
  }) as unknown as Http["call"];
  const errors = createClientErrors({
    env,
    http: { call },
    session: {
      user: () => state.user,
      onUser(handler) {
        listeners.add(handler);
        return () => listeners.delete(handler);
      },
    },
  });
  const pass = async (ms: number): Promise<void> => {
    await settle();
    env.clock.advance(ms);
    await settle(40);
  };
  const become = (user: SessionUser | null): void => {
    state.user = user;
    for (const listener of listeners) listener(user);
  };
  const fail = (message: string, path = "/ai"): void =>
    errors.add("page", { message, stack: "    at f (http://h/a.js:1:2)" }, path);
  return { env, sent, state, errors, pass, become, fail };
}

test("Errors go together after two seconds, equal ones as one with a count", async () => {
  const { sent, pass, fail, env } = setUp();
  fail("Error: a");
  fail("Error: a");
  fail("Error: b", "/im/people?chat=lina");
  await pass(1_999);
  expect(sent).toEqual([]);
  await pass(1);
  expect(sent).toMatchObject([
    {
      at: "s1",
      errors: [
        { message: "Error: a", count: 2, path: "/ai", age: 2_000 },
        { message: "Error: b", count: 1, path: "/im/people" },
      ],
    },
  ]);
  expect(env.kv.data.has("errors.queue")).toBe(false);
});

test("An error of an outage is sent after it, under the key of the first attempt, also by the next core", async () => {
  const env = createFakeEnv();
  const before = setUp(env);
  before.state.failing = new AppError("network.offline");
  before.fail("Error: a");
  await before.pass(2_000);
  before.fail("Error: a");
  await before.pass(1_000);
  before.errors.stop();
  expect(env.kv.data.get("errors.queue")).toMatchObject([{ count: 1 }, { count: 1 }]);
  const after = setUp(env);
  await after.pass(2_000);
  expect(after.sent[0]?.errors.map(({ message, count }) => [message, count])).toEqual([
    ["Error: a", 1],
    ["Error: a", 1],
  ]);
  expect(new Set(after.sent[0]?.errors.map(({ key }) => key)).size).toBe(2);
  expect(env.kv.data.has("errors.queue")).toBe(false);
});

test("Without network nothing is tried until it is back", async () => {
  const { env, sent, pass, fail } = setUp();
  env.online.set(false);
  fail("Error: a");
  await pass(600_000);
  expect(sent).toEqual([]);
  env.online.set(true);
  await settle(40);
  expect(sent).toHaveLength(1);
});

test("After too many reports the core waits, and what the platform refuses is dropped", async () => {
  const { env, sent, state, pass, fail } = setUp();
  state.failing = new AppError("request.rate-limited");
  fail("Error: a");
  await pass(2_000);
  state.failing = null;
  await pass(9_999);
  expect(sent).toEqual([]);
  await pass(1);
  expect(sent).toHaveLength(1);
  state.failing = new AppError("auth.forbidden");
  fail("Error: b");
  await pass(2_000);
  expect(env.kv.data.has("errors.queue")).toBe(false);
});

test("An error is never sent under another person's name, and one of the login page by the next person who logs in", async () => {
  const { sent, pass, fail, become } = setUp(createFakeEnv(), null);
  fail("Error: login page");
  await pass(60_000);
  become({ ...zhangwei, supplierId: null });
  await pass(60_000);
  expect(sent).toEqual([]);
  become(zhangwei);
  fail("Error: of zhangwei");
  become(lina);
  await pass(2_000);
  expect(sent.map(({ errors }) => errors.map(({ message }) => message))).toEqual([
    ["Error: login page"],
  ]);
  become(zhangwei);
  await pass(2_000);
  expect(sent[1]?.errors[0]?.message).toBe("Error: of zhangwei");
});

test("An error stays with the company in which it happened, and fifty wait at most", async () => {
  const { env, sent, state, pass, fail, become } = setUp();
  state.failing = new AppError("network.timeout");
  fail("Error: first");
  become({ ...zhangwei, supplierId: "s2" });
  for (let i = 0; i < 60; i += 1) fail(`Error: ${i}`);
  await pass(2_000);
  expect(env.kv.data.get("errors.queue")).toHaveLength(50);
  state.failing = null;
  await pass(10_000);
  expect(sent.map(({ at, errors }) => [at, errors.length])).toEqual([
    ["s2", 20],
    ["s2", 20],
    ["s2", 10],
  ]);
  fail("Error: last");
  become(zhangwei);
  await pass(2_000);
  expect(sent.at(-1)).toMatchObject({ at: "s2", errors: [{ message: "Error: last" }] });
});

test("A queue that cannot be read at first is not overwritten, and is sent with the errors of now", async () => {
  const first = setUp(undefined, null);
  first.fail("old");
  await first.pass(100);
  first.errors.stop();
  const { get } = first.env.kv;
  first.env.kv.get = () => Promise.reject(new Error("broken"));
  const next = setUp(first.env, null);
  next.fail("new");
  await next.pass(3_000);
  expect(first.env.kv.data.get("errors.queue")).toMatchObject([{ message: "old" }]);
  first.env.kv.get = get;
  next.become(zhangwei);
  await next.pass(3_000);
  expect(next.sent.flatMap(({ errors }) => errors.map(({ message }) => message))).toEqual([
    "old",
    "new",
  ]);
  expect(first.env.kv.data.has("errors.queue")).toBe(false);
});
