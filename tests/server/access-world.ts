/** A platform whose people have everything open that somebody can have: chat, calls, conferences and an import. */
import { afterEach, beforeEach, expect } from "vitest";
import { platformForTests } from "../../src/server/asking.harness.ts";
import { openSocket, type TestSocket } from "../../src/server/host.harness.ts";
import type { TestClient } from "../../src/server/modules/chat/client.harness.ts";
import { signInToChat } from "../../src/server/modules/chat/sign-in.harness.ts";
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
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { ticketPath, ticketResponseSchema } from "../../src/shared/protocol/rest/rtc.ts";
import { OP } from "../../src/shared/protocol/signalling.ts";

export interface Login {
  readonly name: string;
  readonly token: string;
  readonly chatToken: string;
  readonly client: TestClient;
}

export interface Entered extends TestSocket {
  readonly sessId: string;
  readonly confrId: string;
  /** The socket of the quality records. */
  readonly quality: { readonly closed: () => Promise<number> };
}

/** Call it at the top of a test file. Each test begins with everybody employed, and closes what it opened. */
export function accessWorld() {
  const { host } = platformForTests([], { env: { MEDIA_EMBEDDED: "off" } });

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

  /** Logs in and connects to the chat. */
  async function logIn(name: string): Promise<Login> {
    const { access_token: token } = await host.login(name);
    const { chatToken, client } = await signInToChat(host.origin, token);
    open.push({ close: () => client.socket.terminate() });
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
  const heardOffline = ({ client }: Login): boolean =>
    client.received.some(({ text }) => text.includes('"presence"') && text.includes('"status":{}'));
  const contactsOf = async ({ token }: Login): Promise<string[]> => {
    const path = "/dc-im/api/friend/hx/page";
    const { body } = await host.ask("GET", path, { token, supplierId: "1" });
    return (body.data as { records: { userName: string }[] }).records.map((row) => row.userName);
  };

  return {
    host,
    open,
    query,
    logIn,
    employeeOf,
    dismiss,
    callBetween,
    meeting,
    expectAlive,
    importBy,
    ask,
    restText,
    textsOf,
    subscribe,
    heardOffline,
    contactsOf,
  };
}
