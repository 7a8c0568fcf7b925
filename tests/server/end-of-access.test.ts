/** Who loses access loses it everywhere at once (docs/server.md#end-of-access): real logins, sockets, companies and database. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSocket, type TestSocket } from "../../src/server/host.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";
import { openClient, type TestClient } from "../../src/server/modules/chat/client.harness.ts";
import {
  createJob,
  FIELDS,
  keyOf,
  pack,
  people,
  type Sender,
  ask as send,
  toChunk,
} from "../../src/server/modules/imports/chunks.harness.ts";
import { type ChatUser, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { ticketPath, ticketResponseSchema } from "../../src/shared/protocol/rest/rtc.ts";
import { END_REASON, OP } from "../../src/shared/protocol/signalling.ts";

let host: TestPlatform;
beforeAll(async () => {
  host = await startTestPlatform({ env: { MEDIA_EMBEDDED: "off" } });
}, 60_000);
afterAll(() => host.close());

const query = (text: string, values: unknown[] = []) =>
  host.platform.database.pool.query<Record<string, string>>(text, values);
beforeEach(async () => {
  await query("UPDATE employees SET dimission_at = NULL");
  await query("UPDATE accounts SET disabled_at = NULL");
  await query(
    "UPDATE roles SET permissions = '{supplier:employee:edit}' WHERE code = 'staff' AND company_id = 1",
  );
  // The gateway has forgotten who could not talk to whom in the test before.
  host.clock.advance(6000);
});
const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

interface Login {
  readonly name: string;
  readonly token: string;
  readonly chatToken: string;
  readonly client: TestClient;
}
/** Logs in and connects to the chat. */
async function logIn(name: string): Promise<Login> {
  const { access_token: token } = await host.login(name);
  const account = await host.ask("GET", "/uaa/api/account", { token });
  const { id } = account.body.data as { id: string };
  const labels = new URLSearchParams({ accountId: id, source: "环信", systemName: "web" });
  const chat = await host.ask("GET", `${restCalls.chatAccount.path}?${labels.toString()}`, {
    token,
  });
  const { userName, password } = chat.body.data as ChatUser;
  const granted = await fetch(`${host.origin}/hyzh/console/token`, {
    method: "POST",
    body: JSON.stringify({ grant_type: "password", username: userName, password }),
  });
  const { access_token: chatToken } = (await granted.json()) as { access_token: string };
  const client = await openClient(new URL(host.origin).host);
  open.push({ close: () => client.socket.terminate() });
  const answer = await client.login(userName, `web_${randomUUID()}`, chatToken);
  expect(answer.status?.errorCode).toBe(0);
  return { name, token, chatToken, client };
}

const employeeOf = async (name: string, companyId = "1"): Promise<string> => {
  const { rows } = await query(
    `SELECT e.id::text AS id FROM employees e JOIN accounts a ON a.id = e.account_id
     WHERE a.username = $1 AND e.company_id = $2`,
    [name, companyId],
  );
  return rows[0]?.["id"] ?? "";
};
async function dismiss(name: string, companyId = "1"): Promise<void> {
  const { access_token: token } = await host.login("admin");
  const json = { id: await employeeOf(name, companyId) };
  const path = restCalls.employeeDimission.path;
  expect((await host.ask("PUT", path, { token, supplierId: companyId, json })).status).toBe(200);
}

interface Entered extends TestSocket {
  readonly sessId: string;
  readonly confrId: string;
  /** The socket of the quality records. */
  readonly quality: { readonly closed: () => Promise<number> };
}
/** Gets a ticket and enters: a call with `callee`, or a conference of the company. */
async function enter(
  { token, name }: Login,
  wish: { callee?: string; confrId?: string; confrType: number },
  supplierId = "1",
): Promise<Entered> {
  const response = await fetch(host.origin + ticketPath("easemob"), {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "supplier-id": supplierId,
    },
    body: JSON.stringify({ uid: name, ...wish }),
  });
  const given = ticketResponseSchema.parse(await response.json());
  const socket = await openSocket(host.origin + (given.ticket?.url ?? ""));
  const quality = await openSocket(new URL(given.ticket?.qoeUpUrl ?? "", host.origin).href);
  open.push(socket, quality);
  socket.send({ op: OP.enter, tsxId: "e", ticket: given.ticket });
  const answer = await socket.waitForFrame({ op: OP.response });
  expect(answer).toMatchObject({ result: 0 });
  return { ...socket, sessId: String(answer["sessId"]), confrId: given.confrId ?? "", quality };
}
async function callBetween(a: Login, b: Login, supplierId = "1") {
  const caller = await enter(a, { confrType: 13, callee: b.name }, supplierId);
  const callee = await enter(b, { confrType: 13, confrId: caller.confrId }, supplierId);
  return { caller, callee };
}
async function meeting(a: Login, b: Login, supplierId = "1") {
  const host = await enter(a, { confrType: 10 }, supplierId);
  const guest = await enter(b, { confrType: 10, confrId: host.confrId }, supplierId);
  return { host, guest };
}
/** Whether the server still answers on the socket. */
async function expectAlive(socket: Entered): Promise<void> {
  socket.send({ op: OP.ping, tsxId: "alive", sessId: socket.sessId });
  await socket.waitForFrame({ op: OP.pong, tsxId: "alive" });
}
let jobs = 0;
async function importBy({ token }: Login) {
  const sender: Sender = { platform: host, token, supplierId: "1" };
  jobs += 1;
  const job = await createJob(sender, keyOf(jobs), 4, { chunks: 2 });
  expect(job.status).toBe(200);
  const { id } = job.data;
  const chunk = (index: number) => {
    const rows = people(2, jobs * 100 + index * 2);
    const bytes = pack(toChunk(rows, FIELDS, 2 + index * 2));
    return send(sender, restCalls.importChunk, { id, index }, bytes);
  };
  expect((await chunk(0)).status).toBe(200);
  const state = async (): Promise<string | undefined> =>
    (await query("SELECT state FROM import_jobs WHERE id = $1", [id])).rows[0]?.["state"];
  return { chunk, state };
}
const ask = (login: Login, supplierId?: string) =>
  host.ask("GET", restCalls.employeeList.path, {
    token: login.token,
    ...(supplierId === undefined ? {} : { supplierId }),
  });
/** A message by the provider's REST with the chat token of before. */
const restText = (from: Login, to: string) =>
  fetch(`${host.origin}/hyzh/console/messages/users?useMsgId=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${from.chatToken}`, "content-type": "application/json" },
    body: JSON.stringify({ from: from.name, to: [to], type: "txt", body: { msg: "rest" } }),
  });
/** What arrived from people; the platform itself tells that data and presence changed. */
const textsOf = ({ client }: Login): string[] =>
  client.received
    .filter(({ from, text }) => from !== "@platform" && !text.includes('"presence"'))
    .map(({ text, action }) => (text === "" ? action : text));
/** Subscribes to the presence of a person who is online. */
async function subscribe(login: Login, userName: string): Promise<void> {
  const answer = await fetch(`${host.origin}/hyzh/console/users/${login.name}/presence/3600`, {
    method: "POST",
    headers: { authorization: `Bearer ${login.chatToken}`, "content-type": "application/json" },
    body: JSON.stringify({ usernames: [userName] }),
  });
  const { result } = (await answer.json()) as { result: { status: object }[] };
  expect(Object.keys(result[0]?.status ?? {})).not.toEqual([]);
}
const toldOffline = ({ client }: Login): boolean =>
  client.received.some(({ text }) => text.includes('"presence"') && text.includes('"status":{}'));
const contactsOf = async ({ token }: Login): Promise<string[]> => {
  const path = "/dc-im/api/friend/hx/page";
  const { body } = await host.ask("GET", path, { token, supplierId: "1" });
  return (body.data as { records: { userName: string }[] }).records.map((row) => row.userName);
};

describe.each([
  ["A dismissal", () => dismiss("lina")],
  [
    "An unbinding",
    async () => {
      const { access_token: token } = await host.login("admin");
      const employeeId = await employeeOf("lina");
      const path = restCalls.employeeGet.path.replace("{id}", employeeId);
      const { body } = await host.ask("GET", path, { token, supplierId: "1" });
      const { version } = restCalls.employeeGet.data.parse(body.data);
      const json = { employeeId, accountId: null, version };
      const bind = restCalls.employeeBindAccount.path;
      expect((await host.ask("PUT", bind, { token, supplierId: "1", json })).status).toBe(200);
    },
  ],
])("%s of a person without another company", (_, lose) => {
  afterAll(() =>
    query(
      "UPDATE employees SET account_id = (SELECT id FROM accounts WHERE username = 'lina') WHERE name = '李娜' AND account_id IS NULL",
    ),
  );

  it("closes all sockets, ends call and conference with a reason for both sides, stops the import, and refuses everything afterwards", async () => {
    const lina = await logIn("lina");
    const wei = await logIn("zhangwei");
    const call = await callBetween(wei, lina);
    const { host: confr, guest } = await meeting(wei, lina);
    const job = await importBy(lina);
    expect((await lina.client.text("1", "zhangwei", "before")).status?.errorCode).toBe(0);
    expect(await contactsOf(wei)).toContain("lina");

    await lose();

    await lina.client.until("the end", () => lina.client.closed !== null);
    expect(lina.client.closed?.code).toBe(4401);
    expect(await call.callee.closed()).toBe(4401);
    expect(await guest.closed()).toBe(4401);
    for (const { quality } of [call.callee, guest]) expect(await quality.closed()).toBe(4401);
    for (const side of [call.caller, call.callee]) {
      expect(await side.waitForFrame({ op: OP.terminate })).toMatchObject({
        endReason: END_REASON.noAccess,
      });
    }
    for (const side of [confr, guest]) {
      expect(await side.waitForFrame({ op: OP.memberExited })).toMatchObject({
        memId: "lina",
        reason: END_REASON.noAccess,
      });
    }
    await expectAlive(confr);
    await expect.poll(job.state).toBe("cancelled");
    expect((await job.chunk(1)).code).toBe("auth.dismissed");
    for (const company of ["1", undefined]) {
      expect(await ask(lina, company)).toMatchObject({
        status: 401,
        body: { error: "auth.dismissed" },
      });
    }
    const seen = textsOf(wei);
    expect((await restText(lina, "zhangwei")).ok).toBe(false);
    expect(await contactsOf(wei)).not.toContain("lina");
    expect((await wei.client.text("2", "lina", "after")).status?.errorCode).not.toBe(0);
    expect(textsOf(wei)).toEqual(seen);
    expect(wei.client.closed).toBeNull();
  });
});

it("A dismissal from one of two companies ends what belongs to it, although the last message was allowed, and touches nothing of the other", async () => {
  const wei = await logIn("zhangwei");
  const [lina, wang] = [await logIn("lina"), await logIn("wangfang")];
  const lost = { call: await callBetween(lina, wei), meeting: await meeting(lina, wei) };
  const kept = {
    call: await callBetween(wang, wei, "2"),
    meeting: await meeting(wang, wei, "2"),
  };
  const job = await importBy(wei);
  for (const one of [lina, wang]) await subscribe(one, "zhangwei");
  expect((await wei.client.text("1", "lina", "before")).status?.errorCode).toBe(0);
  expect((await lina.client.text("2", "zhangwei", "before")).status?.errorCode).toBe(0);

  await dismiss("zhangwei");

  // The next messages, over the sockets of before.
  const seen = textsOf(lina);
  expect((await wei.client.text("3", "lina", "after")).status?.errorCode).not.toBe(0);
  expect((await wei.client.cmd("4", "lina", "sendRing")).status?.errorCode).not.toBe(0);
  expect((await lina.client.text("5", "zhangwei", "after")).status?.errorCode).not.toBe(0);
  expect((await restText(wei, "lina")).ok).toBe(false);
  expect(textsOf(lina)).toEqual(seen);

  expect(await lost.meeting.guest.closed()).toBe(4403);
  expect(await lost.meeting.guest.quality.closed()).toBe(4403);
  expect(await lost.meeting.host.waitForFrame({ op: OP.memberExited })).toMatchObject({
    memId: "zhangwei",
    reason: END_REASON.noAccess,
  });
  for (const side of [lost.call.caller, lost.call.callee]) {
    expect(await side.waitForFrame({ op: OP.terminate })).toMatchObject({
      endReason: END_REASON.noAccess,
    });
  }
  expect(await lost.call.callee.quality.closed()).toBe(4403);
  host.clock.advance(1000);
  expect(await lost.call.callee.closed()).toBe(1000);
  await expect.poll(job.state).toBe("cancelled");
  expect((await job.chunk(1)).status).toBe(403);
  expect((await ask(wei, "1")).status).toBe(403);
  expect(await contactsOf(lina)).not.toContain("zhangwei");

  // The person is still connected, and offline to those who may see the person no more.
  await lina.client.until("the presence", () => toldOffline(lina));
  expect(toldOffline(wang)).toBe(false);

  // The other company.
  for (const socket of [...Object.values(kept.call), ...Object.values(kept.meeting)]) {
    await expectAlive(socket);
  }
  expect(wei.client.closed).toBeNull();
  expect((await wei.client.text("6", "wangfang", "there")).status?.errorCode).toBe(0);
  expect((await ask(wei, "2")).status).toBe(200);
  await wang.client.until("the message", () =>
    wang.client.received.some(({ text }) => text === "there"),
  );
});

it("A dismissed person comes back into no call or conference by a ticket of before", async () => {
  const wei = await logIn("zhangwei");
  const lina = await logIn("lina");
  const tickets = await Promise.all(
    [{ confrType: 13, callee: "lina" }, { confrType: 10 }].map(async (wish) => {
      const response = await fetch(host.origin + ticketPath("easemob"), {
        method: "POST",
        headers: {
          authorization: `Bearer ${wei.token}`,
          "content-type": "application/json",
          "supplier-id": "1",
        },
        body: JSON.stringify({ uid: "zhangwei", ...wish }),
      });
      return ticketResponseSchema.parse(await response.json());
    }),
  );
  await dismiss("zhangwei");
  for (const given of tickets) {
    const socket = await openSocket(host.origin + (given.ticket?.url ?? ""));
    open.push(socket);
    socket.send({ op: OP.enter, tsxId: "e", ticket: given.ticket });
    expect((await socket.waitForFrame({ op: OP.response }))["result"]).not.toBe(0);
  }
  expect(lina.client.closed).toBeNull();
});

it("A device that is signed out loses its sockets and calls, and the person's other device keeps its own", async () => {
  const away = await logIn("lina");
  const here = await logIn("lina");
  const wei = await logIn("zhangwei");
  const call = await callBetween(wei, away);
  const { guest } = await meeting(wei, here);
  const list = await host.ask("GET", restCalls.ownSessions.path, { token: here.token });
  const { records } = list.body.data as { records: { id: string; current: boolean }[] };
  const ownSession = records.find(({ current }) => current)?.id;
  const { rows } = await query(
    `SELECT s.id FROM sessions s JOIN accounts a ON a.id = s.account_id
     WHERE a.username = 'lina' AND s.revoked_at IS NULL AND s.id <> $1 ORDER BY s.created_at DESC, s.id`,
    [ownSession],
  );
  for (const { id = "" } of rows) {
    const path = restCalls.endOwnSession.path.replace("{id}", id);
    const answer = await host.ask(restCalls.endOwnSession.method, path, { token: here.token });
    expect(answer.status).toBe(200);
  }
  await away.client.until("the end", () => away.client.closed !== null);
  expect(away.client.closed?.code).toBe(4401);
  expect(await call.callee.closed()).toBe(4401);
  expect(await call.caller.waitForFrame({ op: OP.terminate })).toMatchObject({
    endReason: END_REASON.noAccess,
  });
  expect((await ask(away, "1")).body.error).toBe("auth.signed-out");
  expect(here.client.closed).toBeNull();
  await expectAlive(guest);
  expect((await here.client.text("1", "zhangwei", "still")).status?.errorCode).toBe(0);
});

it("A disabled account is out of all companies with a reason, until it is enabled again", async () => {
  const wei = await logIn("zhangwei");
  const wang = await logIn("wangfang");
  const call = await callBetween(wang, wei, "2");
  const job = await importBy(wei);
  const { access_token: token } = await host.login("admin");
  const { method, path } = restCalls.accountState;
  const at = path.replace("{id}", await employeeOf("zhangwei"));
  const put = (enabled: boolean) =>
    host.ask(method, at, { token, supplierId: "1", json: { enabled } });
  expect((await wang.client.text("10", "zhangwei", "before")).status?.errorCode).toBe(0);
  expect((await put(false)).status).toBe(200);
  await wei.client.until("the end", () => wei.client.closed !== null);
  expect(wei.client.closed?.code).toBe(4401);
  expect(await call.callee.closed()).toBe(4401);
  expect(await call.caller.waitForFrame({ op: OP.terminate })).toMatchObject({
    endReason: END_REASON.noAccess,
  });
  await expect.poll(job.state).toBe("cancelled");
  for (const company of ["1", "2"]) {
    expect((await ask(wei, company)).body.error).toBe("auth.account-disabled");
  }
  expect((await wang.client.text("1", "zhangwei", "after")).status?.errorCode).not.toBe(0);
  expect((await put(false)).status).toBe(409);
  expect((await put(true)).status).toBe(200);
  expect((await host.tryLogin("zhangwei")).status).toBe(200);
});

it("A role that is taken away stops the import that it allowed, and neither a call nor the chat", async () => {
  const lina = await logIn("lina");
  const wei = await logIn("zhangwei");
  const call = await callBetween(wei, lina);
  const job = await importBy(lina);
  const { rows } = await query(
    `SELECT r.id::text AS "roleId", a.id::text AS "accountId" FROM roles r, accounts a
     WHERE r.code = 'staff' AND r.company_id = 1 AND a.username = 'lina'`,
  );
  const { roleId = "", accountId = "" } = rows[0] ?? {};
  const { access_token: token } = await host.login("admin");
  const { method, path } = restCalls.roleTake;
  const json = { roleId, accountIds: [accountId] };
  expect((await host.ask(method, path, { token, supplierId: "1", json })).status).toBe(200);
  await expect.poll(job.state).toBe("cancelled");
  expect((await job.chunk(1)).status).toBe(403);
  await expectAlive(call.callee);
  expect((await lina.client.text("1", "zhangwei", "still")).status?.errorCode).toBe(0);
  await query("INSERT INTO account_roles (account_id, role_id) VALUES ($1, $2)", [
    accountId,
    roleId,
  ]);
});
