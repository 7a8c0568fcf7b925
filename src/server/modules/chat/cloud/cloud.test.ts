/** A platform whose chat is on Easemob's cloud, with a stand-in of the cloud's REST that takes only what is documented. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { and, eq } from "drizzle-orm";
import { auditRecords } from "../../../base/database/schema/audit.ts";
import { accountCall } from "../../../../shared/protocol/rest/auth.ts";
import type { Group, GroupMember } from "../../../../shared/protocol/rest/im-groups.ts";
import { chatAccountCall } from "../../../../shared/protocol/rest/im.ts";
import { CALLBACK_PATH } from "../../../../shared/protocol/easemob-rest.ts";
import type { ChatUser } from "../../../../shared/protocol/rest/entities.ts";
import { startTestPlatform, type TestPlatform } from "../../../platform.harness.ts";
import {
  CALLBACK_SECRET,
  CLIENT_ID,
  CLIENT_SECRET,
  type CloudStandIn,
  signed,
  startCloudStandIn,
} from "./cloud.harness.ts";
import { COMPARE_MS } from "./index.ts";
import { commandBatches } from "./provider.ts";
import { PATIENCE } from "../../../../shared/patience.harness.ts";

let cloud: CloudStandIn;
let host: TestPlatform;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  cloud = await startCloudStandIn();
  host = await startTestPlatform({
    env: {
      EASEMOB_URL: "ws://im.example.org/websocket",
      EASEMOB_API_URL: cloud.url,
      EASEMOB_CLIENT_ID: CLIENT_ID,
      EASEMOB_CLIENT_SECRET: CLIENT_SECRET,
      EASEMOB_CALLBACK_SECRET: CALLBACK_SECRET,
    },
  });
  for (const name of ["admin", "zhangwei", "lina", "wangfang"]) {
    tokens[name] = (await host.login(name)).access_token;
  }
}, 60_000);
afterEach(() => {
  cloud.refuse.clear();
  expect(cloud.wrong).toEqual([]);
});
afterAll(async () => {
  await host.close();
  await cloud.close();
});

const ask = async (who: string, method: string, path: string, json?: unknown) =>
  await host.ask(method, path, {
    token: tokens[who] ?? "",
    ...(json === undefined ? {} : { json }),
  });
const groupsOf = async (who: string): Promise<Group[]> =>
  ((await ask(who, "GET", "/dc-im/api/groups")).body.data as { records: Group[] }).records;
const membersOf = async (who: string, id: string): Promise<string[]> => {
  const { body } = await ask(who, "GET", `/dc-im/api/groupUsers?groupId=${id}`);
  const page = body.data as { records: GroupMember[] } | null;
  return (page?.records ?? []).map((m) => m.userName).sort();
};
async function callback(fields: Record<string, unknown>, secret?: string): Promise<number> {
  const response = await fetch(`${host.origin}${CALLBACK_PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(signed(fields, host.clock.now(), secret)),
  });
  await response.body?.cancel();
  return response.status;
}
const groupCallback = (id: string, operation: string) =>
  callback({
    chat_type: "muc",
    eventType: "chat",
    group_id: id,
    from: "hyzh#console_lina@easemob.com/android_1",
    to: "zhangwei",
    payload: { muc_id: `hyzh#console_${id}@conference.easemob.com`, operation, is_chatroom: false },
  });
async function accountOf(
  who: string,
): Promise<{ id: string; chat: Awaited<ReturnType<typeof ask>> }> {
  const { id } = (await ask(who, "GET", accountCall.path)).body.data as { id: string };
  const query = new URLSearchParams({ accountId: id, source: "环信", systemName: "hyzh#console" });
  return { id, chat: await ask(who, "GET", `${chatAccountCall.path}?${query.toString()}`) };
}
const count = (asked: string): number => cloud.asked.filter((one) => one === asked).length;

it("All people are registered at the start, each once, by one application token", async () => {
  const { rows } = await host.platform.database.pool.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM accounts WHERE disabled_at IS NULL",
  );
  // and the sender of changed data
  await vi.waitFor(() => expect(cloud.users.size).toBe((rows[0]?.n ?? 0) + 1), PATIENCE);
  expect(cloud.users.get("lina")).toEqual({ nickname: "李娜" });
  expect(cloud.users.get("_platform")).toBeDefined();
  expect(count("POST /users")).toBe(2);
  expect(cloud.appTokens.size).toBe(1);
});

it("A person gets the provider's token, and no password", async () => {
  const { chat } = await accountOf("lina");
  expect(chat.body.data as ChatUser).toMatchObject({ userName: "lina", accessToken: "user-lina" });
  expect(chat.body.data).not.toHaveProperty("password");
});

it("Nobody gets the token of another person", async () => {
  const { id } = await accountOf("zhangwei");
  const query = new URLSearchParams({ accountId: id, source: "环信", systemName: "hyzh#console" });
  const { body } = await ask("lina", "GET", `${chatAccountCall.path}?${query.toString()}`);
  expect(body.data).toMatchObject({ userName: "zhangwei" });
  expect(body.data).not.toHaveProperty("accessToken");
});

it("An application token that was taken back is renewed once, and a cloud that fails is a clear error", async () => {
  cloud.appTokens.clear();
  const before = count("POST /token");
  expect((await accountOf("lina")).chat.status).toBe(200);
  // refused, renewed, asked again
  expect(count("POST /token") - before).toBe(3);
  cloud.refuse.set("POST /token", { status: 503, error: "service_unavailable" });
  const { chat } = await accountOf("lina");
  expect([chat.status, chat.body.msg]).toEqual([503, "聊天服务暂时不可用"]);
});

it("The gateway's own wire is not served", async () => {
  const response = await fetch(`${host.origin}/hyzh/console/token`, { method: "POST", body: "{}" });
  expect(response.status).toBe(404);
});

it("The console is given the configured addresses alone", async () => {
  const config = (await (await fetch(`${host.origin}/console-config.json`)).json()) as object;
  expect(config).toMatchObject({
    easemob: { url: "ws://im.example.org/websocket", apiUrl: cloud.url, isHttpDNS: false },
  });
});

/** What the comparison with the provider wrote into the operation log about a group, oldest first. */
async function reconciled(id: string): Promise<{ before: unknown; after: unknown }[]> {
  return await host.db
    .select({ before: auditRecords.before, after: auditRecords.after })
    .from(auditRecords)
    .where(and(eq(auditRecords.action, "reconcile"), eq(auditRecords.entityId, id)))
    .orderBy(auditRecords.id);
}

it("A group that was made at the provider is copied by its callback, in both documented forms", async () => {
  const group = cloud.addGroup("1001", "lina", ["zhangwei"]);
  expect(await groupCallback("1001", "create")).toBe(200);
  await vi.waitFor(
    async () => expect(await membersOf("zhangwei", "1001")).toEqual(["lina", "zhangwei"]),
    PATIENCE,
  );
  group.name = "夜班";
  group.admins.add("zhangwei");
  group.members.add("admin");
  const event = { event: "group_op_event", type: "GROUP", id: "1001", operation: "ADD_ADMIN" };
  expect(await callback({ ...event, operator: "lina", payload: {} })).toBe(200);
  await vi.waitFor(
    async () => expect(await membersOf("lina", "1001")).toEqual(["admin", "lina", "zhangwei"]),
    PATIENCE,
  );
  expect(await groupsOf("zhangwei")).toMatchObject([
    { id: "1001", name: "夜班", role: "admin", admin: "lina" },
  ]);
  cloud.groups.delete("1001");
  expect(await groupCallback("1001", "destroy")).toBe(200);
  await vi.waitFor(async () => expect(await groupsOf("lina")).toEqual([]), PATIENCE);
  const [made, changed, gone] = await reconciled("1001");
  expect(made).toMatchObject({ before: null, after: { members: ["lina", "zhangwei"] } });
  expect(changed).toMatchObject({
    before: { members: ["lina", "zhangwei"], admins: [] },
    after: { name: "夜班", members: ["admin", "lina", "zhangwei"], admins: ["zhangwei"] },
  });
  expect(Object.keys(changed?.after as object).toSorted()).toEqual(["admins", "members", "name"]);
  expect(gone).toMatchObject({ before: { name: "夜班" }, after: null });
});

it("Who belongs to another company is taken out of the group at the provider and never copied", async () => {
  const group = cloud.addGroup("1002", "lina", ["wangfang", "zhangwei"]);
  expect(await groupCallback("1002", "create")).toBe(200);
  await vi.waitFor(() => expect([...group.members]).toEqual(["zhangwei"]), PATIENCE);
  expect(await membersOf("lina", "1002")).toEqual(["lina", "zhangwei"]);
  expect(await groupsOf("wangfang")).toEqual([]);
  await vi.waitFor(
    async () =>
      expect((await reconciled("1002")).at(-1)?.after).toEqual({ removedAtProvider: ["wangfang"] }),
    PATIENCE,
  );
  cloud.groups.delete("1002");
  await groupCallback("1002", "destroy");
});

it.each([
  ["a wrong secret", { group_id: "1003", chat_type: "muc" }, "another-secret"],
  ["another application", { group_id: "1003", chat_type: "muc", appkey: "a#b" }, undefined],
  ["no call id", { callId: undefined }, undefined],
])("A callback with %s is refused, and nothing is read", async (_what, fields, secret) => {
  const before = cloud.asked.length;
  expect(await callback(fields, secret)).toBe(403);
  expect(cloud.asked.length).toBe(before);
});

it("An old callback is refused, and what a signed one claims is not believed", async () => {
  const old = signed({ chat_type: "muc", group_id: "1004" }, host.clock.now() - 11 * 60_000);
  const post = (body: object) =>
    fetch(`${host.origin}${CALLBACK_PATH}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await post(old)).status).toBe(403);
  // The signature does not cover the group: the provider is asked, which knows of none.
  const before = count("GET /chatgroups/1004");
  expect(await groupCallback("1004", "create")).toBe(200);
  await vi.waitFor(() => expect(count("GET /chatgroups/1004")).toBe(before + 1), PATIENCE);
  expect(await groupsOf("lina")).toEqual([]);
});

it("A person's list shows a group whose callback was lost", async () => {
  cloud.addGroup("1005", "lina", ["zhangwei"]);
  expect(await groupsOf("zhangwei")).toMatchObject([{ id: "1005", memberCount: 2 }]);
  cloud.groups.get("1005")?.members.delete("zhangwei");
  expect(await groupsOf("zhangwei")).toEqual([]);
  expect(await membersOf("lina", "1005")).toEqual(["lina"]);
  cloud.refuse.set("GET /users/lina/joined_chatgroups", { status: 500, error: "internal" });
  expect(await groupsOf("lina")).toMatchObject([{ id: "1005" }]);
  // The comparison wrote what it did, and nothing where all was equal.
  const written = await reconciled("1005");
  expect(written.map(({ after }) => (after as { members: string[] }).members)).toEqual([
    ["lina", "zhangwei"],
    ["lina"],
  ]);
  const before = count("GET /chatgroups/1005");
  expect(await groupCallback("1005", "create")).toBe(200);
  await vi.waitFor(() => expect(count("GET /chatgroups/1005")).toBe(before + 1), PATIENCE);
  cloud.refuse.clear();
  expect(await groupsOf("lina")).toMatchObject([{ id: "1005" }]);
  expect(await reconciled("1005")).toHaveLength(2);
  cloud.groups.delete("1005");
});

it("Friends that were made at the provider are copied, and ended ones too", async () => {
  const roster = (operation: string) =>
    callback({
      chat_type: "roster",
      eventType: "chat",
      from: "hyzh#console_lina",
      to: "wangfang",
      payload: { operation, reason: "" },
    });
  const rows = async (): Promise<number> =>
    (await host.platform.database.pool.query("SELECT FROM im_friends")).rowCount ?? -1;
  expect(await rows()).toBe(0);
  expect(await roster("add")).toBe(200);
  await vi.waitFor(async () => expect(await rows()).toBe(1), PATIENCE);
  cloud.friends.add("lina wangfang").add("wangfang lina");
  expect(await roster("remote_accept")).toBe(200);
  await vi.waitFor(async () => expect(await rows()).toBe(2), PATIENCE);
  cloud.friends.clear();
  expect(await roster("remove")).toBe(200);
  await vi.waitFor(async () => expect(await rows()).toBe(0), PATIENCE);
});

it("What the console's own calls do with a group is done at the provider, by the rules of here", async () => {
  const made = await ask("lina", "POST", "/dc-im/api/group", {
    groupname: "巡查",
    desc: "",
    public: true,
    approval: false,
    allowinvites: true,
    members: ["zhangwei"],
  });
  expect(made.status).toBe(200);
  const { id } = made.body.data as Group;
  const there = cloud.groups.get(id);
  expect(there).toMatchObject({ name: "巡查", owner: "lina" });
  expect(
    (await ask("lina", "PUT", `/dc-im/api/group/${id}`, { groupname: "巡查二组" })).status,
  ).toBe(200);
  expect(there?.name).toBe("巡查二组");
  expect((await ask("wangfang", "PUT", `/dc-im/api/group/${id}`, { groupname: "x" })).status).toBe(
    404,
  );
  expect(there?.name).toBe("巡查二组");
  const add = { userName: "admin", groupIdStr: id };
  expect((await ask("zhangwei", "POST", "/dc-im/api/groupUser", add)).status).toBe(200);
  expect([...(there?.members ?? [])]).toEqual(["zhangwei", "admin"]);
  // The provider refuses: the copy becomes again what it has.
  cloud.refuse.set(`PUT /chatgroups/${id}`, { status: 403, error: "forbidden_op" });
  const refused = await ask("lina", "PUT", `/dc-im/api/group/${id}`, { groupname: "三组" });
  expect([refused.status, refused.body.msg]).toEqual([409, "聊天服务拒绝了操作"]);
  expect(await groupsOf("lina")).toMatchObject([{ id, name: "巡查二组" }]);
  expect((await ask("lina", "DELETE", `/dc-im/api/group/${id}`)).status).toBe(200);
  expect(cloud.groups.has(id)).toBe(false);
});

it("Changed data are reported to those members of the company who are logged in, by one command message", async () => {
  cloud.commands.length = 0;
  const company = await host.platform.database.pool.query<{ id: string }>(
    "SELECT e.company_id::text AS id FROM employees e JOIN accounts a ON a.id = e.account_id WHERE a.username = 'lina'",
  );
  const supplierId = company.rows[0]?.id ?? "";
  const saved = await host.ask("POST", "/system/config", {
    token: tokens["admin"] ?? "",
    supplierId,
    json: { configName: "live", configKey: "live.test", configValue: "1" },
  });
  expect(saved.status).toBe(200);
  await vi.waitFor(() => expect(cloud.commands).toHaveLength(1), PATIENCE);
  expect(cloud.commands[0]).toEqual({
    from: "_platform",
    to: expect.any(Array) as string[],
    type: "cmd",
    body: { action: "dataChanged" },
    routetype: "ROUTE_ONLINE",
    ext: { supplierId, tags: "config", spread: "60" },
  });
  expect([...(cloud.commands[0]?.to ?? [])].sort()).toEqual(["admin", "lina", "zhangwei"]);
});

it("A message about alerts is sent in the platform's name", async () => {
  const { rows } = await host.platform.database.pool.query<{ id: string }>(
    "SELECT id::text AS id FROM accounts WHERE username = 'lina'",
  );
  const headers = { token: tokens["admin"] ?? "", supplierId: "1" };
  const made = await host.ask("POST", "/monitor/alertChannel", {
    ...headers,
    json: {
      name: "值班",
      type: "chat",
      target: rows[0]?.id ?? "",
      format: "json",
      leastLevel: "warning",
      language: "en",
      on: true,
    },
  });
  const { id } = made.body.data as { id: string };
  const path = `/monitor/alertChannel/${id}/test`;
  const tested = await host.ask("POST", path, { ...headers, json: {} });
  expect(tested.body.data).toEqual({ success: true, error: "" });
  expect(cloud.texts).toMatchObject([{ from: "_platform", to: ["lina"], type: "txt" }]);
  cloud.refuse.set("POST /messages/users", { status: 500, error: "internal" });
  const again = await host.ask("POST", path, { ...headers, json: {} });
  expect(again.body.data).toMatchObject({ success: false });
});

it("New people are registered within the hour, although one of them is there already", async () => {
  await host.platform.database.pool.query(
    "INSERT INTO accounts (username, nickname, password_hash, chat_user_name) VALUES ('new1', '新一', 'x', 'new1'), ('new2', '新二', 'x', 'new2')",
  );
  cloud.users.set("new1", { nickname: "already" });
  host.clock.advance(COMPARE_MS);
  await vi.waitFor(() => expect(cloud.users.get("new2")).toEqual({ nickname: "新二" }), PATIENCE);
  expect(cloud.users.get("new1")).toEqual({ nickname: "already" });
  const kept = () =>
    host.platform.database.pool.query(
      "SELECT FROM chat_cloud_people p JOIN accounts a ON a.id = p.account_id WHERE a.username LIKE 'new_'",
    );
  await vi.waitFor(async () => expect((await kept()).rowCount).toBe(2), PATIENCE);
});

it("What changed at the provider without a callback is copied within the hour, and the operation log says so", async () => {
  /** The logins of before have ended then. */
  const anHourLater = async (): Promise<void> => {
    host.clock.advance(COMPARE_MS);
    for (const name of Object.keys(tokens)) tokens[name] = (await host.login(name)).access_token;
  };
  await anHourLater();
  const group = cloud.addGroup("1006", "lina", ["zhangwei"]);
  expect(await groupsOf("lina")).toMatchObject([{ id: "1006", name: "消防联络" }]);
  group.name = "夜班";
  group.members.add("admin");
  cloud.friends.add("lina wangfang").add("wangfang lina");
  const friends = async (): Promise<string[]> =>
    (
      (await ask("wangfang", "GET", "/dc-im/api/friends")).body.data as {
        records: { userName: string }[];
      }
    ).records.map(({ userName }) => userName);
  await anHourLater();
  await vi.waitFor(async () => expect(await friends()).toEqual(["lina"]), PATIENCE);
  await vi.waitFor(
    async () => expect(await membersOf("lina", "1006")).toEqual(["admin", "lina", "zhangwei"]),
    PATIENCE,
  );
  expect(await groupsOf("admin")).toMatchObject([{ id: "1006", name: "夜班" }]);
  expect(await reconciled("1006")).toMatchObject([
    { before: null },
    { before: { name: "消防联络" }, after: { name: "夜班" } },
  ]);

  cloud.friends.clear();
  cloud.groups.delete("1006");
  await anHourLater();
  await vi.waitFor(async () => expect(await friends()).toEqual([]), PATIENCE);
  await vi.waitFor(async () => expect(await reconciled("1006")).toHaveLength(3), PATIENCE);
  const mended = await host.db
    .select({ before: auditRecords.before, after: auditRecords.after })
    .from(auditRecords)
    .where(and(eq(auditRecords.action, "reconcile"), eq(auditRecords.entity, "im-friend")))
    .orderBy(auditRecords.id);
  expect(mended.slice(-2)).toMatchObject([
    { before: { sides: 0 }, after: { sides: 2 } },
    { before: { sides: 2 }, after: { sides: 0 } },
  ]);
  // A request that waits for an answer is no friendship, and the comparison leaves it.
  const asked = { userName: "lina", friendUserName: "wangfang", reason: "" };
  expect((await ask("lina", "POST", "/dc-im/api/friend/hx/create/userName", asked)).status).toBe(
    200,
  );
  const before = count("GET /users/lina/contacts/users");
  await anHourLater();
  await vi.waitFor(
    () => expect(count("GET /users/lina/contacts/users")).toBeGreaterThan(before),
    PATIENCE,
  );
  const kept = await host.platform.database.pool.query("SELECT FROM im_friends");
  expect(kept.rowCount).toBe(1);
});

it("Command messages to many people are split so that each request stays below what the cloud takes", () => {
  const names = Array.from({ length: 600 }, (_, n) => `person_${n}`.padEnd(64, "x"));
  const batches = commandBatches(names, 300);
  expect(batches.flat()).toEqual(names);
  const sizes = batches.map((to) => 300 + JSON.stringify(to).length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5 * 1024);
  expect(batches.length).toBe(9);
});
