/** Rights that change without a new login (docs/session.md#changed-rights). */
import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { settle } from "../core.fake.ts";
import { setUp } from "./session.harness.ts";

async function inCompany() {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  const count = () => [
    kit.platform.count("auth.account"),
    kit.platform.count("menus.routers"),
    kit.platform.count("employees.memberships"),
  ];
  const at = kit.slice().supplierId ?? "";
  return { ...kit, count, at };
}
const routersAnswer = (name: string) => () => ({
  code: 0,
  msg: "ok",
  data: [
    {
      id: name,
      code: name,
      name,
      icon: "",
      uri: name,
      hidden: false,
      elementProperties: {},
      childMenu: [],
    },
  ],
});

test("Roles, permissions and menus follow a change, and nobody is asked who is logged in", async () => {
  const { platform, sessionModule, slice, users, count, at } = await inCompany();
  const [accounts, menus, memberships] = count();
  const usersBefore = users.length;
  platform.state.permissions[at] = ["p", "q"];
  platform.state.roles = [{ roleId: "r1", supplierId: at, roleName: "新" }];
  platform.state.instead.set("menus.routers", routersAnswer("roles"));
  sessionModule.rightsChanged(at);
  await settle(30);
  expect(slice().permissions).toEqual(["p", "q"]);
  expect(slice().roles.map(({ roleName }) => roleName)).toEqual(["新"]);
  expect(slice().menus.map(({ code }) => code)).toEqual(["roles"]);
  expect(count()).toEqual([(accounts ?? 0) + 1, (menus ?? 0) + 1, memberships]);
  expect(users.length).toBe(usersBefore);
});

test("Without a role left, the person is a guest without menus and permissions", async () => {
  const { platform, sessionModule, slice, at } = await inCompany();
  platform.state.roles = [];
  sessionModule.rightsChanged(null);
  await settle(30);
  expect([slice().isGuest, slice().permissions, slice().menus]).toEqual(["1", [], []]);
  expect(slice().supplierId).toBe(at);
});

test("A change of another company of the person is not ours, and changes during a load lead to one more", async () => {
  const { sessionModule, count, at, slice } = await inCompany();
  const [before = 0] = count();
  const elsewhere = slice().employees.find(({ supplierId }) => supplierId !== at)?.supplierId;
  expect(elsewhere).toBeDefined();
  sessionModule.rightsChanged(elsewhere ?? "");
  await settle(30);
  expect(count()[0]).toBe(before);
  for (let n = 0; n < 5; n += 1) sessionModule.rightsChanged(at);
  await settle(60);
  expect(count()[0]).toBe(before + 2);
});

test("A failed load is repeated, and one after the logout is not", async () => {
  const { env, platform, sessionModule, slice, count, at, context } = await inCompany();
  platform.state.permissions[at] = ["late"];
  platform.state.failing = new AppError("server.unavailable");
  sessionModule.rightsChanged(at);
  await settle(30);
  expect(slice().permissions).not.toEqual(["late"]);
  platform.state.failing = null;
  await env.clock.advance(500);
  await settle(30);
  expect(slice().permissions).toEqual(["late"]);
  await sessionModule.handlers.logout({}, context);
  const [before] = count();
  sessionModule.rightsChanged(at);
  await settle(30);
  expect(count()[0]).toBe(before);
});

test("What may have been missed is fetched, however young the rights are: they may have changed before the connection opened", async () => {
  const { sessionModule, count } = await inCompany();
  const [before = 0] = count();
  sessionModule.changesMissed();
  await settle(30);
  expect(count()[0]).toBe(before + 1);
});

test("Who joined a company while the connection was away finds it after the next opening, and nothing is loaded for the same companies", async () => {
  const { platform, sessionModule, count, slice, at } = await inCompany();
  const [, , before = 0] = count();
  sessionModule.changesMissed();
  await settle(60);
  expect(count()[2], "asked once").toBe(before + 1);
  const [known] = slice().employees;
  const joined = { ...known!, id: "e-s9", supplierId: "s9", supplierName: "新公司" };
  const employees = [joined, ...slice().employees];
  platform.state.instead.set("employees.memberships", () => ({
    code: 0,
    msg: "",
    data: { records: employees, total: 3, cursor: 1, limit: 100 },
  }));
  sessionModule.changesMissed();
  await settle(60);
  expect(slice().employees.map(({ supplierId }) => supplierId)).toContain("s9");
  expect(slice().supplierId, "the person stays where they are").toBe(at);
});

test("Who has become a member of a further company loads everything again", async () => {
  const { sessionModule, count } = await inCompany();
  const [, , memberships = 0] = count();
  sessionModule.rightsChanged("new");
  await settle(60);
  expect(count()[2]).toBe(memberships + 1);
});

test("Who is no member any more loads everything again", async () => {
  const { platform, sessionModule, count, at } = await inCompany();
  const [, , memberships = 0] = count();
  platform.state.instead.set("menus.routers", () => {
    throw new AppError("auth.forbidden");
  });
  sessionModule.rightsChanged(at);
  await settle(60);
  expect(count()[2]).toBe(memberships + 1);
});
