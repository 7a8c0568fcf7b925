/**
 * Two server processes on one PostgreSQL and one Redis: people who are at different processes are one company all the same. Runs
 * where TEST_DATABASE_URL and TEST_REDIS_URL name both, and is skipped elsewhere: without them there are no two processes.
 */
import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic } from "../../src/server/testing.ts";
import { openClient, type TestClient } from "../../src/server/chat/testkit.ts";
import { hashPassword } from "../../src/server/accounts/passwords.ts";
import { openDatabase } from "../../src/server/db/index.ts";
import { DEMO_PASSWORD, seed } from "../../src/server/db/seed.ts";
import { startServer, type TestServer } from "../support/server.ts";

const databaseUrl = process.env["TEST_DATABASE_URL"] ?? "";
const redisUrl = process.env["TEST_REDIS_URL"] ?? "";

describe.skipIf(databaseUrl === "" || redisUrl === "")("two server processes", () => {
  const name = `console_two_${randomUUID().replaceAll("-", "")}`;
  const url =
    databaseUrl === "" ? "" : Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
  const servers: TestServer[] = [];
  const LABELS = new URLSearchParams({ source: "环信", systemName: "hyzh#console" }).toString();

  const run = async (query: string): Promise<void> => {
    const pool = new Pool({ connectionString: databaseUrl, max: 1 });
    try {
      await pool.query(query);
    } finally {
      await pool.end();
    }
  };

  beforeAll(async () => {
    await run(`CREATE DATABASE ${name}`);
    const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "unused" });
    await seed(database.db, { demo: true, administrator: null, hash: hashPassword });
    await database.close();
    const env = { DATABASE_URL: url, REDIS_URL: redisUrl, APP_SECRET: "two".repeat(12) };
    servers.push(await startServer(env));
    servers.push(await startServer(env));
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) await server.dispose();
    await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  async function json(response: Response): Promise<{ data: Record<string, unknown> }> {
    return (await response.json()) as { data: Record<string, unknown> };
  }
  async function signIn(
    server: TestServer | undefined,
    username: string,
  ): Promise<{ client: TestClient; token: string }> {
    const at = server?.url ?? "";
    const login = await fetch(`${at}/uaa/login/username`, {
      method: "POST",
      headers: { authorization: basic("sec-web-company-admin") },
      body: new URLSearchParams({ username, password: DEMO_PASSWORD, grant_type: "password" }),
    });
    const token = String((await json(login)).data["access_token"]);
    const headers = { authorization: `Bearer ${token}` };
    const { id } = (await json(await fetch(`${at}/uaa/api/account`, { headers }))).data;
    const chat = (
      await json(
        await fetch(`${at}/dc-im/api/user/hx/accountId?accountId=${String(id)}&${LABELS}`, {
          headers,
        }),
      )
    ).data;
    const granted = await fetch(`${at}/hyzh/console/token`, {
      method: "POST",
      body: JSON.stringify({
        grant_type: "password",
        username: chat["userName"],
        password: chat["password"],
      }),
    });
    const { access_token: chatToken } = (await granted.json()) as { access_token: string };
    const client = await openClient(new URL(at).host);
    const answer = await client.login(username, `web_${randomUUID()}`, chatToken);
    expect(answer.status?.errorCode).toBe(0);
    return { client, token };
  }

  it("a session, a chat message, a ring, presence and the end of a session pass between them", async () => {
    const [a, b] = servers;
    const lina = await signIn(a, "lina");
    const wei = await signIn(b, "zhangwei");
    const asWei = { headers: { authorization: `Bearer ${wei.token}` } };

    // the session of one is good at the other
    const account = await json(await fetch(`${a?.url}/uaa/api/account`, asWei));
    expect(account.data["username"]).toBe("zhangwei");

    // who is online at one shows at the other
    await expect
      .poll(async () => {
        const contacts = await json(await fetch(`${b?.url}/dc-im/api/friend/hx/page`, asWei));
        const records = contacts.data["records"] as { userName: string; online: boolean }[];
        return records.find((record) => record.userName === "lina")?.online;
      })
      .toBe(true);

    expect((await lina.client.text("1", "zhangwei", "在吗")).status?.errorCode).toBe(0);
    await wei.client.until("the message", () => wei.client.received.length === 1);
    expect(wei.client.received[0]).toMatchObject({ from: "lina", text: "在吗" });

    expect((await wei.client.cmd("2", "lina", "sendRing")).status?.errorCode).toBe(0);
    await lina.client.until("the ring", () => lina.client.received.length === 1);
    expect(lina.client.received[0]).toMatchObject({ from: "zhangwei", action: "sendRing" });

    // a logout asked of one process closes the socket at the other
    await fetch(`${b?.url}/uaa/logout`, {
      method: "POST",
      headers: { authorization: `Bearer ${lina.token}` },
    });
    await lina.client.until("the end", () => lina.client.closed !== null);
    expect(lina.client.closed?.code).toBe(4401);
    const ended = await fetch(`${a?.url}/uaa/api/account`, {
      headers: { authorization: `Bearer ${lina.token}` },
    });
    expect(ended.status).toBe(401);
  }, 60_000);
});
