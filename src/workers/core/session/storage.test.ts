/** A login whose storage cannot be read for a while. */
import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { FakeEnv } from "../core.fake.ts";
import { settle } from "../core.fake.ts";
import { setUp } from "./session.harness.ts";

/** Reads fail until the returned function is called. @param keys by default all */
const failReads = (env: FakeEnv, ...keys: string[]): (() => void) => {
  const { get } = env.kv;
  env.kv.get = (key) =>
    keys.length === 0 || keys.includes(key) ? Promise.reject(new Error("broken")) : get(key);
  return () => (env.kv.get = get);
};

test("A refresh goes on with the tokens of this core while the storage cannot be read", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  failReads(kit.env);
  kit.env.clock.advance(3_595_000);
  expect(await kit.sessionModule.session.accessToken()).toBe("access2");
  expect(kit.slice()).toMatchObject({ status: "authenticated", expired: null, left: null });
});

test("A login that cannot be read at the start of a core is read later, and stays in storage meanwhile", async () => {
  const first = setUp();
  await first.login();
  await first.loadInfo();
  first.sessionModule.stop();
  const readable = failReads(first.env);
  const next = setUp(first.env, first.platform);
  await next.sessionModule.restore();
  expect(next.slice().status).toBe("anonymous");
  expect(first.env.kv.data.has("session.tokens")).toBe(true);
  first.env.clock.advance(5_000);
  await settle(60);
  expect(next.slice().status).toBe("anonymous");
  readable();
  first.env.clock.advance(5_000);
  await settle(60);
  expect(next.slice()).toMatchObject({ status: "authenticated", accountId: "a1" });
});

test("A person who logs in meanwhile keeps the new login", async () => {
  const first = setUp();
  await first.login();
  first.sessionModule.stop();
  const readable = failReads(first.env);
  const next = setUp(first.env, first.platform);
  await next.sessionModule.restore();
  await next.login();
  readable();
  first.env.clock.advance(60_000);
  await settle(60);
  expect(next.slice().status).toBe("authenticated");
  expect(await next.sessionModule.session.accessToken()).toBe("access2");
});

test("A console of which nobody knows whether it is locked is locked, and one that is open stays open", async () => {
  const first = setUp();
  await first.login();
  await first.loadInfo();
  const readable = failReads(first.env, "session.locked");
  await first.sessionModule.reread();
  expect(first.slice().locked).toBe(false);
  first.sessionModule.stop();
  const next = setUp(first.env, first.platform);
  await next.sessionModule.restore();
  expect(next.slice().locked).toBe(true);
  readable();
});

test("A load of the user info stays in the chosen company while the storage cannot be read", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  await kit.sessionModule.handlers.switchCompany({ employeeId: "e-s2" }, kit.context);
  failReads(kit.env);
  await kit.loadInfo();
  expect(kit.slice().supplierId).toBe("s2");
});

test("A logout that the platform does not know of joins those of before once the storage can be read", async () => {
  const kit = setUp();
  await kit.login();
  await kit.env.kv.set("session.farewell", ["older"]);
  kit.platform.state.failing = new AppError("server.unavailable");
  const readable = failReads(kit.env);
  await kit.sessionModule.handlers.logout({}, kit.context);
  expect(kit.env.kv.data.get("session.farewell")).toEqual(["older"]);
  readable();
  kit.platform.state.failing = null;
  kit.env.clock.advance(60_000);
  await settle(100);
  const sent = kit.platform.state.asked
    .filter(({ id }) => id === "auth.logout")
    .map(({ headers }) => headers["Authorization"]);
  expect(new Set(sent)).toEqual(new Set(["Bearer access1", "Bearer older"]));
  expect(kit.env.kv.data.has("session.farewell")).toBe(false);
});
