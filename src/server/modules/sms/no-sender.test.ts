/** A platform that can send no code says so before somebody fails (docs/server.md#sms). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { openTestDatabase } from "../../base/database/database.harness.ts";
import type { Database } from "../../base/database/index.ts";
import { covers } from "../../covers.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";

const { inviteEmployee, sendSms, smsState } = restCalls;

let database: Database;
let bare: TestPlatform;
let demo: TestPlatform;
beforeAll(async () => {
  // What is no embedded database has no demo data, beside which a page shows the codes, unless the settings say so.
  database = { ...(await openTestDatabase()), embedded: false };
  const env = { ADMIN_USERNAME: "boss", ADMIN_PASSWORD: "Platform2026" };
  bare = await startTestPlatform({ database, env });
  demo = await startTestPlatform();
}, 60_000);
afterAll(async () => {
  await bare.close();
  await demo.close();
});

it(covers(smsState, "success", "whether somebody sends"), async () => {
  expect((await demo.ask("GET", smsState.path)).body.data).toEqual({ available: true });
  expect((await bare.ask("GET", smsState.path)).body.data).toEqual({ available: false });
});

it("A PostgreSQL with demo data has the page that shows the codes", async () => {
  const other: Database = { ...(await openTestDatabase()), embedded: false };
  const tried = await startTestPlatform({ database: other, env: { DEMO_DATA: "small" } });
  expect((await tried.ask("GET", smsState.path)).body.data).toEqual({ available: true });
  expect((await tried.tryLogin("admin")).status).toBe(200);
  await tried.close();
});

it("A code is refused with what to do", async () => {
  const { status, body } = await bare.ask("POST", sendSms.path, {
    json: { mobile: "13800000001" },
  });
  expect([status, body.msg]).toEqual([503, "短信服务未配置，请联系管理员"]);
});

it("An invitation shows no form that cannot be sent", async () => {
  const login = await bare.tryLogin("boss", "Platform2026");
  const { access_token: token } = login.body.data as { access_token: string };
  const who = { token, supplierId: "1", json: {} };
  const made = await bare.ask("POST", inviteEmployee.path, who);
  const { link } = inviteEmployee.data.parse(made.body.data);
  const answer = await fetch(bare.origin + link);
  const text = await answer.text();
  expect(answer.status).toBe(503);
  expect(text).toContain("平台还没有配置短信服务，暂时不能验证手机号");
  expect(text).not.toContain("<form");
});
