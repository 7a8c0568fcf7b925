/** The calls about where alerts of a company are sent, and the test of a channel over real HTTP, SMTP and chat. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { alertCalls, type AlertChannel } from "../../../shared/protocol/rest/alerts.ts";

import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { covers } from "../../covers.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

const {
  alertChannelList,
  alertChannelCreate,
  alertChannelUpdate,
  alertChannelDelete,
  alertChannelTest,
} = alertCalls;
const ALL = [
  alertChannelList,
  alertChannelCreate,
  alertChannelUpdate,
  alertChannelDelete,
  alertChannelTest,
];
whoMay({
  "alertChannels.list": "--++",
  "alertChannels.create": "--++",
  "alertChannels.update": "--++",
  "alertChannels.delete": "--++",
  "alertChannels.test": "--++",
});

let host: TestPlatform;
let receiver: Server;
let hook = "";
let status = 200;
const received: { url: string; body: string }[] = [];
const tokens: Record<string, string> = {};
beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      received.push({ url: request.url ?? "", body });
      response.writeHead(status, { location: hook }).end("{}");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const at = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  hook = `http://${at}/hook?access_token=abc`;
  host = await startTestPlatform({ env: { ALERT_HOSTS: at } });
  for (const name of ["ops", "admin", "lina", "guest"]) {
    tokens[name] = (await host.login(name)).access_token;
  }
}, 60_000);
afterAll(async () => {
  await host.close();
  receiver.close();
});

const PATH = alertChannelCreate.path;
const ask = (
  method: string,
  path: string,
  options: { readonly json?: unknown; readonly as?: string; readonly in?: string } = {},
) =>
  host.ask(method, path, {
    token: tokens[options.as ?? "ops"] ?? "",
    supplierId: options.in ?? "1",
    ...(options.json === undefined ? {} : { json: options.json }),
  });
const fields = (part: Partial<AlertChannel> = {}) => ({
  name: "值班群",
  type: "webhook",
  target: hook,
  format: "json",
  leastLevel: "warning",
  language: "zh",
  on: true,
  ...part,
});
const create = (json: unknown, company = "1", as = "admin") =>
  ask("POST", PATH, { json, in: company, as });
const made = async (part: Partial<AlertChannel> & { secret?: string } = {}) =>
  alertChannelCreate.data.parse((await create(fields(part))).body.data);
const update = (json: unknown, company = "1") =>
  ask("PUT", PATH, { json, in: company, as: "admin" });
const list = async (query = "", company = "1") =>
  alertChannelList.data.parse(
    (await ask("GET", `${alertChannelList.path}${query}`, { in: company, as: "admin" })).body.data,
  );
const test = (id: string, company = "1") =>
  ask("POST", `${PATH}/${id}/test`, { json: {}, in: company, as: "admin" });
const wrongOf = ({ body }: Awaited<ReturnType<typeof ask>>) => body.details?.["fields"];
const accountOf = async (username: string): Promise<string> => {
  const { rows } = await host.platform.database.pool.query<{ id: string }>(
    "SELECT id::text AS id FROM accounts WHERE username = $1",
    [username],
  );
  return rows[0]?.id ?? "";
};

it(covers(ALL, "success", "the secret is never answered, and the log hides it"), async () => {
  const channel = await made({ secret: "一个密钥" });
  expect(channel).toMatchObject({ ...fields(), signed: true, names: [], last: null, version: 1 });
  expect(JSON.stringify(channel)).not.toContain("一个密钥");
  const changed = await update({ id: channel.id, version: 1, name: "夜班群", secret: "" });
  expect(changed.body.data).toMatchObject({ name: "夜班群", signed: false, version: 2 });
  const people = `${await accountOf("lina")}, ${await accountOf("ops")}`;
  const chat = await made({ name: "值班人员", type: "chat", target: people });
  expect(chat).toMatchObject({ names: ["李娜", "运维值班"], target: people.replace(" ", "") });
  const all = await list();
  expect([all.mail, all.total]).toEqual([false, 2]);
  expect((await list("?keyword=夜班")).records.map(({ id }) => id)).toEqual([channel.id]);
  expect((await ask("DELETE", `${PATH}/${chat.id}`, { as: "admin" })).status).toBe(200);
  expect((await list()).records.map(({ id }) => id)).toEqual([channel.id]);
  const records = await host.db
    .select()
    .from(auditRecords)
    .where(eq(auditRecords.entity, "alert-channel"))
    .orderBy(desc(auditRecords.id));
  expect(records.map(({ action }) => action)).toEqual(["delete", "create", "update", "create"]);
  expect(records.at(-1)?.after).toMatchObject({ secret: "•••", on: true, name: "值班群" });
  expect(JSON.stringify(records)).not.toContain("access_token");
});

it(covers(alertChannelTest, "success", "and says why nothing arrived"), async () => {
  const { id } = await made();
  expect((await test(id)).body.data).toEqual({ success: true, error: "" });
  expect(JSON.parse(received.at(-1)?.body ?? "")).toMatchObject({ event: "test", link: null });
  expect((await list()).records.at(-1)?.last).toMatchObject({ success: true, error: "" });
  status = 302;
  const arrived = received.length;
  expect((await test(id)).body.data).toEqual({ success: false, error: "对方回答了 HTTP 302" });
  status = 200;
  expect(received.length).toBe(arrived + 1);
  expect((await list()).records.at(-1)).toMatchObject({
    last: { success: false, error: "对方回答了 HTTP 302" },
    version: 1,
  });
});

it(covers(ALL, "invalid"), async () => {
  for (const [target, words] of [
    ["ftp://example.org", "地址必须以 https:// 或 http:// 开头"],
    ["钉钉", "地址不正确"],
    ["https://me:pw@example.org", "地址不能包含用户名和密码"],
    ["http://10.0.0.1/hook", "不能发送到内网地址，请联系平台管理员"],
    ["http://[::1]:80/", "不能发送到内网地址，请联系平台管理员"],
    ["http://2130706433/", "不能发送到内网地址，请联系平台管理员"],
    ["http://localhost:1/", "不能发送到内网地址，请联系平台管理员"],
  ]) {
    expect([target, wrongOf(await create(fields({ target: target ?? "" })))]).toEqual([
      target,
      { target: words },
    ]);
  }
  expect(wrongOf(await create(fields({ type: "mail", target: "a@example.org" })))).toHaveProperty(
    "type",
  );
  for (const target of ["x", "999999", `${await accountOf("lina")},999999`, ","]) {
    expect(wrongOf(await create(fields({ type: "chat", target })))).toEqual({
      target: "接收人不存在",
    });
  }
  const { id } = await made();
  expect((await update({ id, version: 1, leastLevel: "critical" })).status).toBe(200);
  const stale = await update({ id, version: 1, name: "新" });
  expect([stale.status, stale.body.details?.["versions"]]).toMatchObject([
    409,
    { theirs: { leastLevel: "critical", version: 2 }, yours: { name: "新" } },
  ]);
  expect(wrongOf(await update({ id, version: 2, target: "http://192.168.1.1/" }))).toEqual({
    target: "不能发送到内网地址，请联系平台管理员",
  });
  expect((await ask("DELETE", `${PATH}/x`, { as: "admin" })).status).toBe(404);
  expect((await test("x")).status).toBe(404);
  expect((await ask("GET", `${alertChannelList.path}?limit=0`)).status).toBe(400);
});

it(covers(ALL, "foreign"), async () => {
  const { id } = await made();
  expect((await list("", "2")).records).toEqual([]);
  expect((await update({ id, version: 1, name: "外" }, "2")).status).toBe(404);
  expect((await ask("DELETE", `${PATH}/${id}`, { in: "2", as: "admin" })).status).toBe(404);
  expect((await test(id, "2")).status).toBe(404);
  const target = await accountOf("lina");
  expect(wrongOf(await create(fields({ type: "chat", target }), "2"))).toEqual({
    target: "接收人不存在",
  });
});

it(covers(ALL, "refused"), async () => {
  for (const as of ["lina", "guest"]) {
    for (const [method, path, json] of [
      ["GET", alertChannelList.path],
      ["POST", PATH, fields()],
      ["PUT", PATH, { id: "1", version: 1 }],
      ["DELETE", `${PATH}/1`],
      ["POST", `${PATH}/1/test`, {}],
    ] as const) {
      expect([method, (await ask(method, path, { as, json })).status]).toEqual([method, 403]);
    }
  }
});
