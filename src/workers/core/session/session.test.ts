import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { employeeListCall } from "../../../shared/protocol/rest/index.ts";
import { settle } from "../core.fake.ts";
import { codeOf, setUp } from "./session.harness.ts";

test("A login trims the name and keeps the tokens out of the state, and the info is that of the oldest membership", async () => {
  const { sessionModule, slice, login, loadInfo, users, platform, env } = setUp();
  await sessionModule.restore();
  expect(slice().status).toBe("anonymous");
  await login();
  expect(slice()).toMatchObject({ status: "authenticated", infoLoaded: false });
  expect(platform.state.asked[0]?.body).toMatchObject({ username: "zhangwei" });
  await loadInfo();
  expect(slice()).toMatchObject({
    infoLoaded: true,
    isGuest: "0",
    name: "张伟s1",
    supplierId: "s1",
    roles: [{ roleId: "r1" }],
    chatUserName: "zw",
    menus: [{ id: "menu-s1" }],
  });
  expect(users.at(-1)).toMatchObject({ accountId: "a1", supplierId: "s1" });
  expect(JSON.stringify(slice())).not.toMatch(/access|refresh1/);
  await sessionModule.http.call(employeeListCall);
  expect(platform.state.asked.at(-1)?.headers).toMatchObject({
    "supplier-id": "s1",
    "menu-id": "menu-s1",
  });
  expect(env.kv.data.has("session.tokens")).toBe(true);
});

test("A wrong password fails with the server's code, and nobody is logged in", async () => {
  const { sessionModule, slice, login } = setUp();
  await sessionModule.restore();
  expect(await codeOf(login("bad"))).toBe("auth.invalid-credentials");
  expect(slice().status).toBe("anonymous");
});

test("A person without a role in the company is a guest, and one without any role also gets an error and stays logged in", async () => {
  const first = setUp();
  first.platform.state.roles = [{ roleId: "r2", supplierId: "s2" }];
  await first.login();
  await first.loadInfo();
  expect(first.slice()).toMatchObject({ isGuest: "1", menus: [], roles: [] });

  const second = setUp();
  second.platform.state.roles = [];
  await second.login();
  const error = await second.loadInfo().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "auth.no-roles", message: "当前登录用户没有使用权限" });
  expect(second.slice()).toMatchObject({ status: "authenticated", infoLoaded: true, isGuest: "1" });
});

test("A refused account ends the session with its text; a network failure does not", async () => {
  const { platform, slice, login, loadInfo, users } = setUp();
  await login();
  platform.state.failing = new AppError("server.unavailable");
  expect(await codeOf(loadInfo())).toBe("server.unavailable");
  expect(slice().status).toBe("authenticated");
  platform.state.failing = null;
  platform.state.refusesAccount = true;
  const error = await loadInfo().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "auth.info-failed",
    message: "获取用户信息出错，请刷新重试",
  });
  expect(slice().status).toBe("anonymous");
  expect(users.at(-1)).toBe(null);
});

test("Tabs that load the info at the same time share one request", async () => {
  const { platform, login, loadInfo } = setUp();
  await login();
  await Promise.all([loadInfo(), loadInfo(), loadInfo()]);
  expect(platform.count("employees.memberships")).toBe(1);
});

test("50 requests after the expiry cause one refresh, and all succeed with the new token", async () => {
  const { env, platform, sessionModule, login, refreshes } = setUp();
  await login();
  env.clock.advance(3_600_000);
  const all = await Promise.all(
    Array.from({ length: 50 }, () => sessionModule.http.call(employeeListCall)),
  );
  expect(all).toHaveLength(50);
  expect(platform.count("auth.refresh")).toBe(1);
  expect(refreshes()).toBe(1);
  const bearers = platform.state.asked
    .filter((request) => request.id === "employees.list")
    .map((request) => request.headers["Authorization"]);
  expect(new Set(bearers)).toEqual(new Set(["Bearer access2"]));
});

test("50 requests that the server refuses as expired cause one refresh and one retry each", async () => {
  const { platform, sessionModule, login } = setUp();
  await login();
  platform.expire();
  await Promise.all(Array.from({ length: 50 }, () => sessionModule.http.call(employeeListCall)));
  expect(platform.count("auth.refresh")).toBe(1);
  expect(platform.count("employees.list")).toBe(100);
});

test("The token is renewed shortly before it expires, not long before", async () => {
  const { env, platform, sessionModule, login } = setUp();
  await login();
  env.clock.advance(3_588_000);
  await sessionModule.http.call(employeeListCall);
  expect(platform.count("auth.refresh")).toBe(0);
  env.clock.advance(2_000);
  await sessionModule.http.call(employeeListCall);
  expect(platform.count("auth.refresh")).toBe(1);
});

test("A refresh that fails in the network does not end the session, and the next attempt succeeds", async () => {
  const { env, platform, sessionModule, login, slice, notices } = setUp();
  await login();
  env.clock.advance(3_600_000);
  for (const code of [
    "network.offline",
    "network.timeout",
    "server.unavailable",
    "server.internal",
  ] as const) {
    platform.state.failing = new AppError(code);
    expect(await codeOf(sessionModule.http.call(employeeListCall))).toBe(code);
  }
  expect(slice().status).toBe("authenticated");
  expect(notices).toEqual([]);
  platform.state.failing = null;
  expect(await codeOf(sessionModule.http.call(employeeListCall))).toBe("ok");
});

test("A failed refresh is retried automatically with the same token, and at once when the network is back", async () => {
  const { env, platform, sessionModule, login, slice } = setUp();
  await login();
  env.clock.advance(3_600_000);
  platform.state.failing = new AppError("server.unavailable");
  expect(await codeOf(sessionModule.session.accessToken())).toBe("server.unavailable");
  env.clock.advance(1_000);
  await settle(100);
  expect(platform.count("auth.refresh")).toBe(2);
  platform.state.failing = null;
  env.online.set(false);
  env.online.set(true);
  await settle(100);
  const tries = platform.state.asked.filter((request) => request.id === "auth.refresh");
  expect(tries.map((t) => (t.body as { refresh_token: string }).refresh_token)).toEqual([
    "refresh1",
    "refresh1",
    "refresh1",
  ]);
  // The refresh has no timeout of its own: the 120 s of every request apply.
  expect(tries.map((t) => t.timeout)).toEqual([undefined, undefined, undefined]);
  expect(slice().status).toBe("authenticated");
  expect(await sessionModule.session.accessToken()).toBe("access2");
  expect(env.clock.pending).toBe(0);
});

test("A new core restores the session from storage at once, also while the server is unreachable", async () => {
  const first = setUp();
  await first.login();
  await first.loadInfo();
  await settle();
  first.platform.state.failing = new AppError("server.unavailable");
  const second = setUp(first.env, first.platform);
  expect(second.slice().status).toBe("restoring");
  await second.sessionModule.restore();
  expect(second.slice()).toMatchObject({
    status: "authenticated",
    infoLoaded: true,
    name: "张伟s1",
  });
  expect(second.users).toHaveLength(1);
  await settle();
  expect(second.slice().status).toBe("authenticated");
});

test("Info that could not be loaded is requested again when the network is back", async () => {
  const { env, platform, login, slice, loadInfo } = setUp();
  await login();
  platform.state.failing = new AppError("network.offline");
  await codeOf(loadInfo());
  platform.state.failing = null;
  env.online.set(false);
  env.online.set(true);
  await settle(100);
  expect(slice().infoLoaded).toBe(true);
});

test("A core uses the tokens that another core has refreshed and does not refresh its own", async () => {
  const first = setUp();
  await first.login();
  const second = setUp(first.env, first.platform);
  await second.sessionModule.restore();
  first.env.clock.advance(3_600_000);
  await Promise.all([
    first.sessionModule.session.accessToken(),
    second.sessionModule.session.accessToken(),
  ]);
  expect(first.platform.count("auth.refresh")).toBe(1);
  expect(await second.sessionModule.session.accessToken()).toBe("access2");
});

test("A company switch loads the other company's info and is kept in the next core; a foreign company is refused", async () => {
  const { env, platform, sessionModule, context, login, loadInfo, slice, users } = setUp();
  await login();
  await loadInfo();
  expect(await codeOf(sessionModule.handlers.switchCompany({ employeeId: "e-s9" }, context))).toBe(
    "request.not-found",
  );
  platform.state.failing = new AppError("network.timeout");
  expect(await codeOf(sessionModule.handlers.switchCompany({ employeeId: "e-s2" }, context))).toBe(
    "network.timeout",
  );
  expect(slice().supplierId).toBe("s1");
  platform.state.failing = null;
  await sessionModule.handlers.switchCompany({ employeeId: "e-s2" }, context);
  expect(slice()).toMatchObject({ supplierId: "s2", name: "张伟s2", menus: [{ id: "menu-s2" }] });
  expect(users.at(-1)).toMatchObject({ supplierId: "s2" });
  const again = setUp(env, platform);
  await again.sessionModule.restore();
  await again.loadInfo();
  expect(again.slice().supplierId).toBe("s2");
});

test("Info requested before a logout is not applied after it", async () => {
  const { sessionModule, context, login, loadInfo, slice, users } = setUp();
  await login();
  const loading = codeOf(loadInfo());
  await sessionModule.handlers.logout({}, context);
  expect(await loading).toBe("auth.required");
  expect(slice().status).toBe("anonymous");
  expect(users.every((user) => user === null)).toBe(true);
});

test("A core follows the login and logout of another core without reporting them again", async () => {
  const first = setUp();
  const second = setUp(first.env, first.platform);
  await second.sessionModule.restore();
  await first.login();
  await second.sessionModule.reread();
  await settle(100);
  expect(second.slice()).toMatchObject({ status: "authenticated", infoLoaded: true });
  await first.sessionModule.handlers.logout({}, first.context);
  await second.sessionModule.reread();
  expect(second.slice().status).toBe("anonymous");
  expect(second.users.at(-1)).toBe(null);
  expect(first.changes()).toBe(2);
  expect(second.changes()).toBe(0);
});

test("Info that was already received at the logout is not applied", async () => {
  const { platform, sessionModule, context, login, loadInfo, slice } = setUp();
  await login();
  const loading = codeOf(loadInfo());
  while (platform.count("menus.routers") === 0) await settle(1);
  await sessionModule.handlers.logout({}, context);
  await loading;
  expect(slice()).toMatchObject({ status: "anonymous", infoLoaded: false });
});
