import { beforeAll, beforeEach, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

const { accountState } = restCalls;
whoMay({ "employees.accountState": "--+-" });

const { host } = platformForTests();
let admin: string;
beforeAll(async () => {
  admin = (await host.login("admin")).access_token;
});
beforeEach(() => query("UPDATE accounts SET disabled_at = NULL"));

const query = (text: string, values: unknown[] = []) =>
  host.platform.database.pool.query<Record<string, string>>(text, values);
const idOf = async (username: string, company = "1"): Promise<string> => {
  const { rows } = await query(
    `SELECT e.id::text AS id FROM employees e JOIN accounts a ON a.id = e.account_id
     WHERE a.username = $1 AND e.company_id = $2`,
    [username, company],
  );
  return rows[0]?.["id"] ?? "";
};
const put = (id: string, enabled: unknown, token = admin, supplierId = "1") =>
  host.ask("PUT", accountState.path.replace("{id}", id), { token, supplierId, json: { enabled } });

it(covers(accountState, "success", "ends all logins, and leaves audit records"), async () => {
  const { access_token: token, refresh_token: refresh } = await host.login("lina");
  const id = await idOf("lina");
  expect((await put(id, false)).status).toBe(200);
  expect((await host.ask("GET", "/uaa/api/account", { token })).body.error).toBe(
    "auth.account-disabled",
  );
  expect((await host.refresh(refresh)).body.error).toBe("auth.account-disabled");
  expect((await host.tryLogin("lina")).status).toBe(400);
  const path = restCalls.employeeGet.path.replace("{id}", id);
  const shown = () => host.ask("GET", path, { token: admin, supplierId: "1" });
  expect((await shown()).body.data).toMatchObject({ accountDisabled: true });
  expect((await put(id, true)).status).toBe(200);
  expect((await shown()).body.data).toMatchObject({ accountDisabled: false });
  // A new login is needed.
  expect((await host.ask("GET", "/uaa/api/account", { token })).body.error).toBe(
    "auth.account-disabled",
  );
  expect((await host.tryLogin("lina")).status).toBe(200);
  const { rows } = await query(
    "SELECT action FROM audit_records WHERE entity = 'account' AND company_id = 1 ORDER BY id",
  );
  expect(rows.map(({ action }) => action)).toEqual(["disable", "enable"]);
});

it(covers(accountState, "invalid"), async () => {
  const id = await idOf("lina");
  expect((await put(id, "no")).body.details?.["fields"]).toHaveProperty("enabled");
  expect((await put(id, true)).status).toBe(409);
  expect((await put("x", false)).status).toBe(404);
  expect((await put(await idOf("admin"), false)).status).toBe(409);
  expect((await put(await idOf("lina"), false)).status).toBe(200);
  expect((await put(await idOf("lina"), false)).status).toBe(409);
});

it(covers(accountState, ["refused", "foreign"]), async () => {
  const { access_token: lina } = await host.login("lina");
  expect((await put(await idOf("guest"), false, lina)).status).toBe(403);
  expect((await put(await idOf("wangfang", "2"), false)).status).toBe(404);
  // zhangwei works in both companies; an administrator of one of them alone must not
  await query(
    `DELETE FROM account_roles WHERE account_id = (SELECT id FROM accounts WHERE username = 'admin')
     AND role_id IN (SELECT id FROM roles WHERE company_id <> 1)`,
  );
  expect((await put(await idOf("zhangwei"), false)).status).toBe(403);
  expect((await host.tryLogin("zhangwei")).status).toBe(200);
});

it("The last administrator of a company keeps the account", async () => {
  await query(
    `UPDATE roles SET permissions = '{system:account:disable}' WHERE code = 'staff' AND company_id = 1`,
  );
  const { access_token: lina } = await host.login("lina");
  expect((await put(await idOf("ops"), false, lina)).status).toBe(200);
  await query(
    "DELETE FROM employees WHERE company_id = 2 AND account_id = (SELECT id FROM accounts WHERE username = 'admin')",
  );
  const refused = await put(await idOf("admin"), false, lina);
  expect([refused.status, refused.body.msg]).toEqual([409, "企业至少要有一名管理员"]);
  expect((await host.tryLogin("admin")).status).toBe(200);
});
