import pino from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AppError } from "../../../../shared/errors.ts";
import { chatUserSchema } from "../../../../shared/protocol/rest/entities.ts";
import { contactsCall } from "../../../../shared/protocol/rest/im.ts";
import type { Database } from "../../../base/database/index.ts";
import {
  accountRoles,
  accounts,
  companies,
  employees,
  roles,
} from "../../../base/database/schema/base.ts";
import { openTestDatabase } from "../../../base/database/database.harness.ts";
import { createHttpApp } from "../../../base/http/app.ts";
import { createClients } from "../../../base/http/client.ts";
import type { Directory, Principal } from "../../../base/module.ts";
import { addConsoleRoutes } from "./console-rest.ts";
import { createCredentials } from "../credentials.ts";
import { createPeople } from "../contacts/people.ts";

const clock = { now: () => Date.now(), setTimeout: () => ({ cancel: () => undefined }) };
const credentials = createCredentials("a secret of at least thirty-two characters", clock);
let database: Database;
let app: ReturnType<typeof createHttpApp>;
const ids: Record<string, string> = {};
const company: Record<string, string> = {};

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  for (const name of ["one", "two"]) {
    const [row] = await db.insert(companies).values({ name }).returning();
    company[name] = row?.id ?? "";
  }
  const staff: Record<string, string> = {};
  for (const [name, companyId] of Object.entries(company)) {
    const role = { companyId, code: "staff", name: "员工" };
    staff[name] = (await db.insert(roles).values(role).returning())[0]?.id ?? "";
  }
  for (const name of ["alice", "bob", "carol", "dave", "gone", "off", "guest"]) {
    const [row] = await db
      .insert(accounts)
      .values({
        username: name,
        passwordHash: "x",
        nickname: name,
        chatUserName: name,
        disabledAt: name === "off" ? new Date() : null,
      })
      .returning();
    ids[name] = row?.id ?? "";
  }
  const works = async (
    account: string,
    at: string,
    name: string,
    dimissionAt: Date | null = null,
  ) => {
    await visits(account, at, name, dimissionAt);
    await db
      .insert(accountRoles)
      .values({ accountId: ids[account] ?? "", roleId: staff[at] ?? "" });
  };
  /** An employee without a role. */
  const visits = (account: string, at: string, name: string, dimissionAt: Date | null = null) =>
    db.insert(employees).values({
      companyId: company[at] ?? "",
      accountId: ids[account] ?? "",
      name,
      department: "消防部",
      dimissionAt,
    });
  await works("alice", "one", "张伟");
  await works("alice", "two", "张伟");
  await works("bob", "one", "李_娜");
  await works("bob", "two", "李_娜");
  await works("carol", "two", "王芳");
  await works("gone", "one", "走了", new Date());
  await works("off", "one", "停用");
  await visits("guest", "one", "访客");

  const principal = (name: string, companies: string[]): Principal => ({
    accountId: ids[name] ?? "",
    username: name,
    sessionId: `session-${name}`,
    supplierIds: companies.map((c) => company[c] ?? ""),
    supplierId: null,
    grants: [],
    permissions: [],
    chatUserName: name,
  });
  const directory: Directory = {
    async authenticate(token) {
      if (token === "alice") return principal("alice", ["one", "two"]);
      if (token === "dave") return principal("dave", []);
      throw new AppError("auth.required");
    },
    principalOf: () => Promise.reject(new Error("not used")),
    async personByChatName(userName) {
      const accountId = ids[userName];
      return accountId === undefined ? null : { accountId, userName, name: userName, avatar: "" };
    },
    mayTalk: async (a, b) => a === "alice" && (b === "bob" || b === "carol"),
    colleagues: async () => [],
    sessionAlive: async () => true,
    onAccessEnd: () => () => undefined,
  };
  app = createHttpApp(
    {
      log: pino({ level: "silent" }),
      metrics: new Registry(),
      dist: undefined,
      clients: createClients({ hops: 0 }),
      connect: [],
    },
    [
      (hono) =>
        addConsoleRoutes(hono, {
          appKey: "hyzh#console",
          directory,
          loginOf: ({ chatUserName, sessionId }) =>
            Promise.resolve({ password: credentials.password(chatUserName, sessionId) }),
          people: createPeople(database.db),
          isOnline: (userName) => userName === "carol",
        }),
    ],
  );
}, 60_000);
afterAll(() => database.close());

async function get(
  path: string,
  query: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await app.request(
    `${path}?${new URLSearchParams({ source: "环信", systemName: "hyzh#console", ...query })}`,
    { headers: { authorization: "Bearer alice", ...headers } },
  );
  const body = (await response.json()) as { code: number; error?: string; data?: unknown };
  return { status: response.status, ...body };
}
const account = (accountId: string) => get("/dc-im/api/user/hx/accountId", { accountId });
const byName = (userName: string) => get("/dc-im/api/user/hx/userName", { userName });

test("The caller's own chat account includes the password of this login, another person's does not", async () => {
  const own = chatUserSchema.parse((await account(ids["alice"] ?? "")).data);
  expect(own).toMatchObject({ userName: "alice", source: "环信", systemName: "hyzh#console" });
  expect(credentials.checkPassword("alice", own.password ?? "")).toEqual({
    sessionId: "session-alice",
  });
  const bob = chatUserSchema.parse((await account(ids["bob"] ?? "")).data);
  expect(bob.userName).toBe("bob");
  expect(bob).not.toHaveProperty("password");
});

test("People who are unknown, disabled or of another company are not found", async () => {
  expect(await account(ids["dave"] ?? "")).toMatchObject({
    status: 404,
    error: "chat.user-not-found",
  });
  expect(await account(ids["off"] ?? "")).toMatchObject({ error: "chat.user-not-found" });
  expect(await account("999999")).toMatchObject({ status: 404, error: "chat.user-not-found" });
  expect(await account("1; drop table")).toMatchObject({ error: "chat.user-not-found" });
  expect(await byName("dave")).toMatchObject({ error: "chat.user-not-found" });
  expect(await byName("nobody")).toMatchObject({ error: "chat.user-not-found" });
  expect((await byName("carol")).data).toMatchObject({ userName: "carol" });
});

test("Contacts are the colleagues of the requested company, each once, without the caller", async () => {
  const contacts = async (
    query: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) => contactsCall.data.parse((await get("/dc-im/api/friend/hx/page", query, headers)).data);

  const all = await contacts();
  expect(all.records.map((r) => [r.userName, r.name, r.online]).sort()).toEqual([
    ["bob", "李_娜", false],
    ["carol", "王芳", true],
  ]);
  expect(all.total).toBe(2);
  const one = await contacts({}, { "supplier-id": company["one"] ?? "" });
  expect(one.records.map((r) => r.userName)).toEqual(["bob"]);
  expect((await contacts({ keyword: "王" })).records.map((r) => r.userName)).toEqual(["carol"]);
  // A wildcard character in the keyword has no special meaning.
  expect((await contacts({ keyword: "_" })).records.map((r) => r.userName)).toEqual(["bob"]);
  expect((await contacts({ keyword: "%" })).total).toBe(0);
  const first = await contacts({ limit: "1" });
  const second = await contacts({ limit: "1", cursor: "2" });
  expect(first.total).toBe(2);
  expect([...first.records, ...second.records].map((r) => r.userName).sort()).toEqual([
    "bob",
    "carol",
  ]);
  const none = await contacts({}, { authorization: "Bearer dave" });
  expect(none).toMatchObject({ records: [], total: 0 });
});
