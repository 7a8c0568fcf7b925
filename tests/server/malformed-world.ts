/** A platform whose requests are malformed on purpose, with what an attacker knows, and what every answer must satisfy. */
import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { expect } from "vitest";
import { systemClock } from "../../src/server/base/clock.ts";
import { startTestPlatform } from "../../src/server/platform.harness.ts";
import { CONFIG_PATH, consoleConfigSchema } from "../../src/shared/protocol/config.ts";
import {
  accountCall,
  chatAccountCall,
  chatUserCall,
  contactsCall,
  employeeListCall,
  employeesCall,
  envelopeSchema,
  getRoutersCall,
  loginCall,
  refreshCall,
  roleMenusCall,
  ticketPath,
  ticketResponseSchema,
  tokenGrantSchema,
} from "../../src/shared/protocol/rest/index.ts";
import type { Target } from "./attacks.ts";

/** What no answer may have: paths, stacks and statements of the server. */
export const INSIDE =
  /node_modules|\.ts:\d+|\n\s+at |postgres|drizzle|sqlstate|syntax error|argon2|select |insert /i;

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly type: string;
}
export interface MalformedWorld {
  readonly origin: string;
  readonly target: Target;
  /** A valid request for a ticket. */
  readonly ownTicketRequest: Record<string, unknown>;
  /** What the server wrote into its log at level error. */
  readonly errors: readonly unknown[];
  get(path: string, token: string): Promise<Record<string, unknown>>;
  ticket(token: string, body: string): Promise<Response>;
  /** Contents of every table but the log of wrong passwords and what the server writes of itself, so that a changed row is detected. */
  everything(): Promise<Record<string, unknown>>;
  /** Sends the target unchanged over a separate connection. fetch would normalise it. */
  raw(
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: string,
  ): Promise<RawAnswer>;
  /** Makes one request and checks what every answer must satisfy. */
  attack(what: string, path: string, init: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export async function startMalformedWorld(): Promise<MalformedWorld> {
  const errors: unknown[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), "console-malformed-"));
  // Messages at level error are those that would alert an operator.
  const log = pino({ level: "error" }, { write: (line) => void errors.push(JSON.parse(line)) });
  const platform = await startTestPlatform({ log, clock: systemClock, env: { DATA_DIR: dataDir } });
  const { origin } = platform;

  /** The `data` of a successful call. */
  async function data(response: Response): Promise<Record<string, unknown>> {
    const envelope = envelopeSchema.parse(await response.json());
    expect(envelope.code, JSON.stringify(envelope)).toBe(0);
    return envelope.data as Record<string, unknown>;
  }
  const login = async (client: string, username: string) =>
    tokenGrantSchema.parse(
      await data(
        await fetch(origin + loginCall.path, {
          method: "POST",
          headers: { authorization: client },
          body: new URLSearchParams({ username, password: "Demo@2026", grant_type: "password" }),
        }),
      ),
    );
  const get = async (path: string, token: string) =>
    data(await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } }));
  const ticket = (token: string, body: string) =>
    fetch(origin + ticketPath("easemob"), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body,
    });

  const config = consoleConfigSchema.parse(await (await fetch(origin + CONFIG_PATH)).json());
  const { id, secret } = config.clients["sec-web-company-admin"];
  const client = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

  const own = await login(client, "lina");
  const others = await login(client, "wangfang");
  const spent = await login(client, "guest");
  await fetch(`${origin}/uaa/logout`, {
    method: "POST",
    headers: { authorization: `Bearer ${spent.access_token}` },
  });
  const me = await get(accountCall.path, own.access_token);
  const them = await get(accountCall.path, others.access_token);
  const roleOf = (account: Record<string, unknown>) =>
    (account["roles"] as { roleId: string; supplierId: string }[])[0] ?? {
      roleId: "",
      supplierId: "",
    };
  const ownTicketRequest = { uid: "lina", confrType: 13, callee: "zhangwei" };
  const made = ticketResponseSchema.parse(
    await (await ticket(own.access_token, JSON.stringify(ownTicketRequest))).json(),
  );
  const chat = { source: "环信", systemName: "web" };
  const target: Target = {
    token: own.access_token,
    client,
    supplierId: roleOf(me).supplierId,
    badTokens: [
      "",
      "x",
      own.refresh_token,
      spent.access_token,
      made.ticket?.tktId ?? "",
      `${own.access_token.slice(0, -3)}AAA`,
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${own.access_token.split(".")[1] ?? ""}.`,
      "a".repeat(6000),
    ],
    foreign: [String(them["id"]), roleOf(them).supplierId, roleOf(them).roleId, "wangfang"],
    valid: {
      [loginCall.id]: {
        body: { username: "lina", password: "not this one", grant_type: "password" },
      },
      [refreshCall.id]: {
        body: { refresh_token: `${own.refresh_token}x`, grant_type: "refresh_token" },
      },
      [getRoutersCall.id]: {
        body: { roleIds: [roleOf(me).roleId], systemName: "sec-web-company-admin" },
      },
      [roleMenusCall.id]: { query: { roleId: roleOf(me).roleId } },
      [employeesCall.id]: { query: { cursor: "1", limit: "10" } },
      [employeeListCall.id]: { query: { cursor: "1", limit: "10" } },
      [accountCall.id]: { query: { systemName: "web" } },
      [chatAccountCall.id]: { query: { ...chat, accountId: String(me["id"]) } },
      [chatUserCall.id]: { query: { ...chat, userName: "zhangwei" } },
      [contactsCall.id]: { query: { cursor: "1", limit: "10" } },
    },
  };
  for (const foreign of target.foreign) expect(foreign).not.toBe("");

  // On a machine that answers slowly the server raises an alert by itself.
  async function everything(): Promise<Record<string, unknown>> {
    const { pool } = platform.platform.database;
    const tables = await pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_name not in ('sign_ins', 'failed_guesses') and table_name not like 'fleet_rollups%' and table_name not in ('alerts', 'alert_deliveries', 'alert_processes') order by 1",
    );
    const all: Record<string, unknown> = {};
    for (const { name } of tables.rows) {
      const { rows } = await pool.query<{ n: number; digest: string | null }>(
        `select count(*)::int as n, md5(string_agg(t::text, '|' order by t::text)) as digest from "${name}" t`,
      );
      all[name] = rows[0];
    }
    return all;
  }

  function raw(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body = "",
  ): Promise<RawAnswer> {
    const { hostname, port } = new URL(origin);
    return new Promise((resolve, reject) => {
      const options = { hostname, port, method, path, headers, agent: false };
      const request = httpRequest(options, (response) => {
        // The server may close while the rest of a large body is still being sent.
        request.on("error", () => undefined);
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            type: response.headers["content-type"] ?? "",
          }),
        );
        response.on("error", reject);
      });
      request.once("error", reject);
      request.end(body);
    });
  }
  /**
   * The server closes a connection whose body it does not read to the end. On a shared connection that would fail the next
   * request too.
   */
  const large = (init: RequestInit): boolean => String(init.body ?? "").length > 60_000;
  async function alone(path: string, init: RequestInit): Promise<Response> {
    const headers = init.headers as Record<string, string>;
    const answer = await raw(init.method ?? "GET", path, headers, String(init.body));
    const type = { "content-type": answer.type };
    return new Response(answer.text, { status: answer.status, headers: type });
  }

  async function attack(what: string, path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await (large(init) ? alone(path, init) : fetch(origin + path, init));
    } catch (error) {
      throw new Error(`no answer to ${what} ${path}`, { cause: error });
    }
    const text = await response.clone().text();
    const seen = `${what} ${String(init.method)} ${path.slice(0, 200)} -> ${response.status} ${text.slice(0, 300)}`;
    expect(response.status, seen).toBeLessThan(500);
    expect(text, seen).not.toMatch(INSIDE);
    expect(text, seen).not.toContain("王芳");
    return response;
  }

  return {
    origin,
    target,
    ownTicketRequest,
    errors,
    get,
    ticket,
    everything,
    raw,
    attack,
    async close() {
      await platform.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
