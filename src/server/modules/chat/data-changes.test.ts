/** Who receives the message that data changed, on a running platform. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChatUser, restCalls } from "../../../shared/protocol/rest/index.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { openClient } from "./client.harness.ts";

let host: TestPlatform;
beforeAll(async () => {
  host = await startTestPlatform();
}, 60_000);
afterAll(() => host.close());

/** Logs in and connects to the chat. */
async function connected(name: string) {
  const { access_token: token } = await host.login(name);
  const account = await host.ask("GET", "/uaa/api/account", { token });
  const { id } = account.body.data as { id: string };
  const query = new URLSearchParams({ accountId: id, source: "环信", systemName: "web" });
  const chat = await host.ask("GET", `${restCalls.chatAccount.path}?${query.toString()}`, {
    token,
  });
  const { userName, password } = chat.body.data as ChatUser;
  // the provider's calls have no envelope
  const granted = await fetch(`${host.origin}/hyzh/console/token`, {
    method: "POST",
    body: JSON.stringify({ grant_type: "password", username: userName, password }),
  });
  const { access_token: chatToken } = (await granted.json()) as { access_token: string };
  const client = await openClient(new URL(host.origin).host);
  const answer = await client.login(userName, `web_${name}`, chatToken);
  expect(answer.status?.errorCode).toBe(0);
  return { client, token };
}

it("A change is told to the other members of the company, and to nobody else", async () => {
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
}, 30_000);
