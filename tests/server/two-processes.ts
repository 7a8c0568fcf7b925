/** Two server processes on one PostgreSQL and one Redis, for the tests of one file. */
import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterAll, beforeAll } from "vitest";
import { openDatabase } from "../../src/server/base/database/index.ts";
import { DEMO_PASSWORD, seed } from "../../src/server/base/database/seed.ts";
import { createPasswords } from "../../src/server/modules/accounts/passwords.ts";
import type { TestClient } from "../../src/server/modules/chat/client.harness.ts";
import { signInToChat } from "../../src/server/modules/chat/sign-in.harness.ts";
import { basic } from "../../src/server/platform.harness.ts";
import { startServer, type TestServer } from "../support/server.ts";

const { TEST_DATABASE_URL: databaseUrl = "", TEST_REDIS_URL: redisUrl = "" } = process.env;

export const json = async (response: Response): Promise<{ data: Record<string, unknown> }> =>
  (await response.json()) as { data: Record<string, unknown> };

export interface TwoProcesses {
  /** Both, once the tests run. */
  readonly servers: readonly TestServer[];
  /** Runs a statement in the database that both share. */
  inDatabase(query: string): Promise<void>;
  /** Logs in at a process. @param at its address */
  tokenOf(at: string, username: string): Promise<string>;
  /** Logs in at a process and connects to its chat. */
  signIn(
    server: TestServer | undefined,
    username: string,
  ): Promise<{ client: TestClient; token: string; chatToken: string }>;
}

/** Call it at the top of a test file. */
export function twoProcesses(): TwoProcesses {
  const name = `console_two_${randomUUID().replaceAll("-", "")}`;
  const url = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
  const servers: TestServer[] = [];

  const run = (query: string): Promise<void> => runAt(databaseUrl, query);
  const inDatabase = (query: string): Promise<void> => runAt(url, query);
  const runAt = async (connectionString: string, query: string): Promise<void> => {
    const pool = new Pool({ connectionString, max: 1 });
    try {
      await pool.query(query);
    } finally {
      await pool.end();
    }
  };

  beforeAll(async () => {
    await run(`CREATE DATABASE ${name}`);
    const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "unused" });
    await seed(database.db, { demo: true, administrator: null, hash: createPasswords().hash });
    await database.close();
    const env = {
      DATABASE_URL: url,
      REDIS_URL: redisUrl,
      APP_SECRET: "two".repeat(12),
      HOST: "127.0.0.1",
      MEDIA_EMBEDDED: "off",
    };
    servers.push(await startServer(env));
    servers.push(await startServer(env));
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) await server.dispose();
    await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  async function tokenOf(at: string, username: string): Promise<string> {
    const login = await fetch(`${at}/uaa/login/username`, {
      method: "POST",
      headers: { authorization: basic("sec-web-company-admin") },
      body: new URLSearchParams({ username, password: DEMO_PASSWORD, grant_type: "password" }),
    });
    return String((await json(login)).data["access_token"]);
  }
  const signIn: TwoProcesses["signIn"] = async (server, username) => {
    const at = server?.url ?? "";
    const token = await tokenOf(at, username);
    const { client, chatToken } = await signInToChat(at, token);
    return { client, token, chatToken };
  };
  return { servers, inDatabase, tokenOf, signIn };
}
