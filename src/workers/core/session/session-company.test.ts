/** Rights, system and fields of the current company. */
import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { accountCall } from "../../../shared/protocol/rest/index.ts";
import { settle } from "../core.fake.ts";
import { codeOf, setUp } from "./session.harness.ts";

test("An administrator of company A who is staff in B has none of A's permissions in B", async () => {
  const kit = setUp();
  kit.platform.state.permissions = { s1: ["*:*:*"], s2: ["im:read"] };
  await kit.login();
  await kit.loadInfo();
  expect(kit.slice()).toMatchObject({ supplierId: "s1", permissions: ["*:*:*"] });
  await kit.sessionModule.handlers.switchCompany({ employeeId: "e-s2" }, kit.context);
  expect(kit.slice()).toMatchObject({
    supplierId: "s2",
    permissions: ["im:read"],
    roles: [{ roleId: "r2", supplierId: "s2" }],
    accountInfo: { permissions: ["im:read"] },
  });
  // The next core has the same permissions.
  const next = setUp(kit.env, kit.platform);
  await next.sessionModule.restore();
  await next.loadInfo();
  expect(next.slice()).toMatchObject({ supplierId: "s2", permissions: ["im:read"] });
});

test("Without a role in the company there are no permissions, whatever the platform answers", async () => {
  const kit = setUp();
  kit.platform.state.roles = [{ roleId: "r2", supplierId: "s2" }];
  kit.platform.state.permissions = { s1: ["*:*:*"], s2: ["*:*:*"] };
  await kit.login();
  await kit.loadInfo();
  expect(kit.slice()).toMatchObject({ supplierId: "s1", isGuest: "1", permissions: [] });
});

test("When the other company refuses the account, the session stays in its current company", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  kit.platform.state.instead.set("menus.routers", () => {
    throw new AppError("auth.forbidden");
  });
  const run = kit.sessionModule.handlers.switchCompany({ employeeId: "e-s2" }, kit.context);
  expect(await codeOf(run)).toBe("auth.forbidden");
  expect(kit.slice()).toMatchObject({ status: "authenticated", supplierId: "s1" });
});

test("The session shows the system of the login, the number of applications, the account info and the expiry", async () => {
  const kit = setUp();
  kit.platform.state.instead.set("employees.applies", () => ({
    code: 0,
    msg: "",
    data: { records: [], total: 3, cursor: 1, limit: 1 },
  }));
  await kit.sessionModule.handlers.login(
    { username: "zhangwei", password: "good", systemName: "sec-web-oa" },
    kit.context,
  );
  await kit.loadInfo();
  const now = Math.floor(kit.env.clock.now() / 1000);
  expect(kit.slice()).toMatchObject({
    systemName: "sec-web-oa",
    systemNameLogin: "sec-web-oa",
    applyNum: 3,
    accountInfo: { id: "a1", username: "zhangwei", nickname: "阿伟" },
    expiresAt: now + 3_600,
    accountId: "a1",
    username: "zhangwei",
    nickname: "阿伟",
    avatar: "a.png",
    introduction: "电工",
    supplierId: "s1",
    roles: [{ roleId: "r1", supplierId: "s1" }],
    permissions: ["p"],
    employee: { id: "e-s1", supplierId: "s1" },
    employees: [{ id: "e-s2" }, { id: "e-s1" }],
  });
  // Other fields of an entry are dropped.
  expect(Object.keys(kit.slice().menus[0] ?? {}).sort()).toEqual([
    "childMenu",
    "code",
    "elementProperties",
    "hidden",
    "icon",
    "id",
    "name",
    "uri",
  ]);
  const asked = kit.platform.state.asked.find(({ id }) => id === "employees.applies");
  expect(asked?.query).toMatchObject({
    applyAccountId: "a1",
    cursor: 1,
    searchCount: true,
    descParameter: "id",
    systemName: "sec-web-oa",
  });
  kit.env.clock.advance(3_600_000);
  await kit.sessionModule.http.call(accountCall, { query: {} });
  expect(kit.slice().expiresAt).toBe(now + 7_200);
});

test("Without the platform's call for applications their number is 0", async () => {
  const kit = setUp();
  kit.platform.state.instead.set("employees.applies", () => {
    throw new AppError("request.not-found");
  });
  await kit.login();
  await kit.loadInfo();
  expect(kit.slice()).toMatchObject({ infoLoaded: true, applyNum: 0 });
});

test("A switch of the system reloads the menus, keeps the login's system, and is kept in the next core", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  await kit.sessionModule.handlers.switchSystem({ systemName: "sec-web-oa" }, kit.context);
  expect(kit.slice()).toMatchObject({
    systemName: "sec-web-oa",
    systemNameLogin: "sec-web-company-admin",
  });
  expect(kit.platform.state.asked.findLast(({ id }) => id === "menus.routers")?.body).toMatchObject(
    {
      systemName: "sec-web-oa",
    },
  );
  const next = setUp(kit.env, kit.platform);
  await next.sessionModule.restore();
  await settle(100);
  expect(next.slice()).toMatchObject({
    systemName: "sec-web-oa",
    systemNameLogin: "sec-web-company-admin",
  });
  kit.platform.state.failing = new AppError("network.timeout");
  const run = kit.sessionModule.handlers.switchSystem({ systemName: "sec-web-admin" }, kit.context);
  expect(await codeOf(run)).toBe("network.timeout");
  expect(kit.slice().systemName).toBe("sec-web-oa");
});

test("A load of the user info that began before a switch does not undo it", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  const answers: (() => void)[] = [];
  kit.platform.state.instead.set("employees.applies", () => {
    kit.platform.state.instead.delete("employees.applies");
    const answer = { code: 0, msg: "", data: { records: [], total: 7, cursor: 1, limit: 1 } };
    return new Promise((resolve) => answers.push(() => resolve(answer)));
  });
  const load = kit.loadInfo();
  await settle(30);
  expect(answers).toHaveLength(1);
  await kit.sessionModule.handlers.switchCompany({ employeeId: "e-s2" }, kit.context);
  answers[0]?.();
  await load;
  expect(kit.slice()).toMatchObject({ supplierId: "s2", menus: [{ id: "menu-s2" }] });
  expect(kit.users.at(-1)?.supplierId).toBe("s2");
});

test("A load that begins while a switch is shown loads the new company", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  const loads: Promise<unknown>[] = [];
  kit.sessionModule.session.onUser((user) => {
    if (user?.supplierId === "s2" && loads.length === 0) loads.push(kit.loadInfo());
  });
  const set = kit.env.kv.set;
  kit.env.kv.set = async (key, value) => (await settle(20), set(key, value));
  await kit.sessionModule.handlers.switchCompany({ employeeId: "e-s2" }, kit.context);
  await Promise.all(loads);
  expect(loads).toHaveLength(1);
  expect(kit.slice().supplierId).toBe("s2");
});

test("A switch of the company and one of the system at the same time both count", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  const { switchCompany, switchSystem } = kit.sessionModule.handlers;
  await Promise.all([
    switchCompany({ employeeId: "e-s2" }, kit.context),
    switchSystem({ systemName: "sec-web-oa" }, kit.context),
  ]);
  expect(kit.slice()).toMatchObject({ supplierId: "s2", systemName: "sec-web-oa" });
});

test("Tokens of another system can log in after the check of whose they are", async () => {
  const first = setUp();
  await first.login();
  const grant = (first.env.kv.data.get("session.tokens") as { grant: never }).grant;
  const second = setUp(undefined, first.platform);
  await second.sessionModule.restore();
  const whose = await second.sessionModule.handlers.whose(
    { accessToken: "access1", systemName: "sec-web-oa" },
    second.context,
  );
  expect(whose).toEqual({ accountId: "a1", username: "zhangwei", nickname: "阿伟" });
  expect(second.slice().status).toBe("anonymous");
  await second.sessionModule.handlers.adopt({ grant, systemName: "sec-web-oa" }, second.context);
  await second.loadInfo();
  expect(second.slice()).toMatchObject({ status: "authenticated", username: "zhangwei" });
  const strange = second.sessionModule.handlers.whose(
    { accessToken: "stolen", systemName: "sec-web-oa" },
    second.context,
  );
  expect(await codeOf(strange)).toBe("auth.expired");
  expect(second.slice().expired).toBeNull();
});

test("The cookie token is returned only when the platform does not set the cookie itself", async () => {
  const own = setUp();
  await own.login();
  expect(await own.sessionModule.handlers.cookieToken({}, own.context)).toEqual({
    accessToken: null,
  });
  own.env.config.tokenCookie = "console";
  expect(await own.sessionModule.handlers.cookieToken({}, own.context)).toEqual({
    accessToken: "access1",
  });
});
