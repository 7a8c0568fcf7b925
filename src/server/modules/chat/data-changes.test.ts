/** Who receives the message that data changed, on a running platform. */
import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { platformForTests } from "../../asking.harness.ts";
import { GAP_MS } from "../data-changes/index.ts";
import { signInToChat } from "./sign-in.harness.ts";
import { type MessageBody, MessageBodyCodec } from "./wire/wire.ts";

const { host } = platformForTests();

/** Logs in and connects to the chat. */
async function connected(name: string) {
  const { access_token: token } = await host.login(name);
  return { ...(await signInToChat(host.origin, token)), token };
}

it("A change is reported to the other members of the company, and to nobody else", async () => {
  const admin = await connected("admin");
  const [lina, wei, wang] = await Promise.all(["lina", "zhangwei", "wangfang"].map(connected));
  const companies = await host.platform.database.pool.query<{ id: string }>(
    "SELECT e.company_id::text AS id FROM employees e JOIN accounts a ON a.id = e.account_id WHERE a.username = 'lina'",
  );
  const supplierId = companies.rows[0]?.id ?? "";
  const saved = await host.ask("POST", "/system/config", {
    token: admin.token,
    supplierId,
    json: { configName: "live", configKey: "live.test", configValue: "1" },
  });
  expect(saved.status).toBe(200);
  // zhangwei is a member of both companies, wangfang of the other one
  for (const who of [lina, wei]) {
    await who?.client.until("the change", () => who.client.received.length > 0);
    expect(who?.client.received).toMatchObject([{ from: "@platform", action: "dataChanged" }]);
  }
  expect([admin.client.received, wang?.client.received]).toEqual([[], []]);

  const receivedBefore = wei?.client.received.length;
  const own = await host.ask("PUT", restCalls.profileUpdate.path, {
    token: lina?.token ?? "",
    supplierId,
    json: { nickname: "李娜" },
  });
  expect(own.status).toBe(200);
  const again = await host.ask("PUT", "/system/config", {
    token: admin.token,
    supplierId,
    json: { ...(saved.body.data as { id: string; version: number }), configValue: "2" },
  });
  expect(again.status).toBe(200);
  host.clock.advance(GAP_MS);
  // the second change has arrived, so the first one went to its own person only, who made it
  await wei?.client.until(
    "the second change",
    () => wei.client.received.length > (receivedBefore ?? 0),
  );
  const tags = wei?.client.received.map(({ meta }) => {
    const body: MessageBody = MessageBodyCodec.decode(meta.payload ?? new Uint8Array());
    const ext = (body.ext ?? []) as { key: string; stringValue: string }[];
    return ext.find(({ key }) => key === "tags")?.stringValue;
  });
  expect(tags).toEqual(["config", "config"]);
}, 30_000);

it("Who is bound, unbound or dismissed learns at once that the rights changed, also as a member no more", async () => {
  const admin = await connected("admin");
  const wei = await connected("zhangwei");
  const { pool } = host.platform.database;
  const { rows } = await pool.query<{ id: string; accountId: string }>(
    `SELECT e.id::text AS id, e.account_id::text AS "accountId" FROM employees e
     JOIN accounts a ON a.id = e.account_id WHERE a.username = 'zhangwei' AND e.company_id = 1`,
  );
  const { id = "", accountId = "" } = rows[0] ?? {};
  const put = (path: string, json: object) =>
    host.ask("PUT", path, { token: admin.token, supplierId: "1", json });
  const version = async () => {
    const path = restCalls.employeeGet.path.replace("{id}", id);
    const { body } = await host.ask("GET", path, { token: admin.token, supplierId: "1" });
    return restCalls.employeeGet.data.parse(body.data).version;
  };
  const bind = async (to: string | null) =>
    put(restCalls.employeeBindAccount.path, {
      employeeId: id,
      accountId: to,
      version: await version(),
    });
  const menusOf = async () => {
    const json = { roleIds: [], systemName: "sec-web-company-admin" };
    const asked = await host.ask("POST", restCalls.getRouters.path, {
      token: wei.token,
      supplierId: "1",
      json,
    });
    return asked.status;
  };
  for (const [change, status] of [
    [() => bind(null), 403],
    [() => bind(accountId), 200],
    [() => put(restCalls.employeeDimission.path, { id }), 403],
  ] as const) {
    wei.client.received.length = 0;
    expect((await change()).status).toBe(200);
    await wei.client.until("the change", () => wei.client.received.length > 0);
    // The login from before goes on and has the rights of now.
    expect(await menusOf()).toBe(status);
  }
}, 30_000);
