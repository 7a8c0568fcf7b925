/** Access that somebody else ended (docs/session.md#end-of-access): the login as a whole, or the company of the session. */
import { expect, test } from "vitest";
import { employeeListCall } from "../../../shared/protocol/rest/index.ts";
import { settle } from "../core.fake.ts";
import { errorOfAnswer } from "../http/transport.ts";
import { codeOf, setUp } from "./session.harness.ts";

async function inCompany() {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  const refuse = (id: string, status: number, error: string): void =>
    void kit.platform.state.instead.set(id, () => {
      throw errorOfAnswer(id, status, { error });
    });
  /** The memberships that the platform lists from now on. */
  const belongsTo = (...companies: string[]): void => {
    const records = kit
      .slice()
      .employees.filter(({ supplierId }) => companies.includes(supplierId));
    kit.platform.state.instead.set("employees.memberships", () => ({
      code: 0,
      msg: "",
      data: { records, total: records.length, cursor: 1, limit: 100 },
    }));
  };
  const list = (): Promise<string> => codeOf(kit.sessionModule.http.call(employeeListCall));
  return { ...kit, refuse, belongsTo, list };
}

test.each([
  ["auth.dismissed", "dismissed"],
  ["auth.account-disabled", "disabled"],
  ["auth.company-locked", "company-locked"],
  ["auth.signed-out", "signed-out"],
])(
  "A login that the platform ended by %s is over in all tabs at once, during a call too",
  async (code, left) => {
    const kit = await inCompany();
    kit.state.busy = true;
    for (const id of [employeeListCall.id, "auth.account", "auth.refresh"])
      kit.refuse(id, 401, code);
    expect(await kit.list()).not.toBe("ok");
    await settle(30);
    expect(kit.slice()).toMatchObject({ status: "anonymous", left, expired: null, menus: [] });
    expect(kit.users.at(-1)).toBeNull();
    expect([...kit.env.kv.data.keys()]).toEqual([]);
  },
);

test("Who has lost the company of the session stands outside, without rights, and goes on in another company", async () => {
  const kit = await inCompany();
  const [here = "", company] = [kit.slice().supplierId ?? "", kit.slice().supplierName];
  kit.belongsTo("s2");
  kit.sessionModule.membershipsChanged(null);
  await settle(60);
  expect(here).toBe("s1");
  expect(kit.slice()).toMatchObject({
    status: "authenticated",
    supplierId: null,
    outside: { company },
    roles: [],
    permissions: [],
    menus: [],
  });
  expect(kit.slice().employees.map(({ supplierId }) => supplierId)).toEqual(["s2"]);
  // Chat, calls, conferences and imports end with the user.
  expect(kit.users.at(-1)).toBeNull();
  // Another load, as each new tab makes, chooses no company by itself.
  await kit.loadInfo();
  expect(kit.slice().outside).toEqual({ company });

  const [{ id: employeeId = "" } = {}] = kit.slice().employees;
  await kit.sessionModule.handlers.switchCompany({ employeeId }, kit.context);
  expect(kit.slice()).toMatchObject({ supplierId: "s2", outside: null });
  expect(kit.users.at(-1)).toMatchObject({ supplierId: "s2" });
});

test("A person who has left the company is outside before the platform answers, and sees its companies of now afterwards", async () => {
  const kit = await inCompany();
  const before = kit.platform.count("employees.memberships");
  let answer: (() => void) | null = null;
  kit.belongsTo("s2");
  const listed = kit.platform.state.instead.get("employees.memberships");
  kit.platform.state.instead.set("employees.memberships", async (...request) => {
    await new Promise<void>((resolve) => (answer = resolve));
    return listed?.(...request);
  });
  // Another company of the person: nothing is left.
  kit.sessionModule.membershipsChanged("s2");
  await settle(60);
  expect(kit.slice()).toMatchObject({ supplierId: "s1", outside: null });
  kit.sessionModule.membershipsChanged("s1");
  await settle(60);
  expect(kit.slice()).toMatchObject({ supplierId: null, menus: [] });
  expect(kit.slice().outside).not.toBeNull();
  expect(kit.users.at(-1)).toBeNull();
  expect(kit.slice().employees.map(({ supplierId }) => supplierId)).toEqual(["s2"]);
  expect(kit.platform.count("employees.memberships")).toBeGreaterThan(before);
  expect(answer).not.toBeNull();
});

test("Who has no company any more is logged out in words, and the platform is told", async () => {
  const kit = await inCompany();
  kit.belongsTo();
  kit.sessionModule.membershipsChanged(null);
  await settle(60);
  expect(kit.slice()).toMatchObject({ status: "anonymous", left: "dismissed" });
  expect(kit.platform.count("auth.logout")).toBe(1);
});

test("Who has lost another company stays, and no longer finds it in the list", async () => {
  const kit = await inCompany();
  kit.belongsTo("s1");
  kit.sessionModule.membershipsChanged(null);
  await settle(60);
  expect(kit.slice()).toMatchObject({ supplierId: "s1", outside: null });
  expect(kit.slice().employees.map(({ supplierId }) => supplierId)).toEqual(["s1"]);
  expect(kit.slice().menus).not.toEqual([]);
});

test("A refusal in the company makes the core look at the rights again, at most every two seconds", async () => {
  const kit = await inCompany();
  kit.refuse(employeeListCall.id, 403, "auth.forbidden");
  const before = kit.platform.count("menus.routers");
  await kit.list();
  await settle(30);
  expect(kit.platform.count("menus.routers")).toBe(before);
  await kit.env.clock.advance(2001);
  await Promise.all([kit.list(), kit.list()]);
  await settle(60);
  const after = kit.platform.count("menus.routers");
  expect(after).toBeGreaterThan(before);
  await kit.list();
  await settle(30);
  expect(kit.platform.count("menus.routers")).toBe(after);
});
