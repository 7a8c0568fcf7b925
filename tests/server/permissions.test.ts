/**
 * The matrix of permissions, made from the table of calls: a person who holds one permission alone makes every call that asks for
 * any, in the company of the permission and in another one.
 */
import { beforeAll, expect, it } from "vitest";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { platformForTests } from "../../src/server/asking.harness.ts";
import { inParallel } from "../support/parallel.ts";

/** Requests under way at the same time. */
const PARALLEL = 8;
const GUARDED = Object.values(restCalls as Readonly<Record<string, RestCall>>).filter(
  (call) => call.auth === "bearer" && (call.access?.permissions ?? []).length > 0,
);
const PERMISSIONS = [...new Set(GUARDED.flatMap(({ access }) => access?.permissions ?? []))];

const { host } = platformForTests();
let token = "";
let roleId = "";
beforeAll(async () => {
  // zhangwei works in both companies and has the permission in the first one alone.
  const { rows } = await host.platform.database.pool.query<{ id: string }>(
    `WITH made AS (INSERT INTO roles (company_id, code, name) VALUES (1, 'one-permission', '一项权限') RETURNING id)
     INSERT INTO account_roles (account_id, role_id)
     SELECT a.id, made.id FROM accounts a, made WHERE a.username = 'zhangwei' RETURNING role_id::text AS id`,
  );
  roleId = rows[0]?.id ?? "";
  token = (await host.login("zhangwei")).access_token;
});

/** The input is empty, so that an answer changes as little as possible. Access is checked before the input. */
async function ask(call: RestCall, supplierId: string): Promise<number> {
  const response = await fetch(host.origin + call.path.replaceAll(/\{\w+\}/g, "0"), {
    method: call.method,
    headers: {
      authorization: `Bearer ${token}`,
      "supplier-id": supplierId,
      ...(call.method === "GET" ? {} : { "content-type": "application/json" }),
    },
    ...(call.method === "GET" ? {} : { body: "{}" }),
  });
  await response.arrayBuffer();
  return response.status;
}

it("has permissions and calls to try", () => {
  expect(PERMISSIONS.length).toBeGreaterThan(15);
  expect(GUARDED.length).toBeGreaterThan(60);
});

it.each(PERMISSIONS)(
  "Who holds %s alone makes the calls that ask for it, no other one, and none of another company",
  async (permission) => {
    await host.platform.database.pool.query("UPDATE roles SET permissions = $1 WHERE id = $2", [
      [permission],
      roleId,
    ]);
    const wrong: string[] = [];
    await inParallel(PARALLEL, GUARDED, async (call) => {
      const allowed = (call.access?.permissions ?? []).includes(permission);
      const here = await ask(call, "1");
      if ((here === 403) === allowed || here >= 500) wrong.push(`${call.id} here: ${here}`);
      if (!allowed) return;
      const there = await ask(call, "2");
      if (there !== 403) wrong.push(`${call.id} there: ${there}`);
    });
    expect(wrong).toEqual([]);
  },
);
