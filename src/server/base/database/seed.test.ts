import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "./index.ts";
import { chatUserNameOf } from "./companies.ts";
import { demoDataOf, seed } from "./seed.ts";
import { openTestDatabase } from "./database.harness.ts";

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

const hash = (password: string): Promise<string> => Promise.resolve(`hash of ${password}`);
const accounts = async () =>
  (
    await database.pool.query(
      `SELECT a.username, a.password_hash, r.code FROM accounts a
       LEFT JOIN account_roles ar ON ar.account_id = a.id LEFT JOIN roles r ON r.id = ar.role_id`,
    )
  ).rows;

it("No account is created when no administrator is given", async () => {
  expect(await seed(database.db, { demo: false, administrator: null, hash })).toBe("nobody");
  expect(await accounts()).toEqual([]);
});

it("The first administrator of an external database is created once and without demo data", async () => {
  const options = {
    demo: false,
    administrator: { username: "Boss", password: "of-the-house" },
    hash,
  };
  expect(await seed(database.db, options)).toBe("administrator");
  expect(await seed(database.db, options)).toBe("kept");
  expect(await seed(database.db, { ...options, demo: true })).toBe("kept");
  expect(await accounts()).toEqual([
    { username: "Boss", password_hash: "hash of of-the-house", code: "admin" },
  ]);
});

it.each([
  [true, undefined, "small"],
  [true, "none", "none"],
  [true, "full", "full"],
  [false, undefined, "none"],
  [false, "small", "small"],
] as const)(
  "An empty database (embedded: %s) with DEMO_DATA=%s begins with demo data: %s",
  (embedded, setting, begins) => {
    expect(demoDataOf({ DEMO_DATA: setting }, { embedded })).toBe(begins);
  },
);

it.each([
  ["ZhangWei", "zhangwei"],
  ["a.b", "u7"],
  ["张伟", "u7"],
  ["U12", "u7"],
  ["user_1-x", "user_1-x"],
  ["x".repeat(65), "u7"],
])("The account %s gets the chat name %s", (username, name) => {
  expect(chatUserNameOf(username, "7")).toBe(name);
});
