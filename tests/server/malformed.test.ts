/** Malformed requests to the whole platform must change nothing, reveal nothing internal, and never end in a 500. */
import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/server/base/clock.ts";
import { startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";
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
  restCalls,
  roleMenusCall,
  rtcTokenPath,
  ticketPath,
  ticketRequestSchema,
  ticketResponseSchema,
  tokenGrantSchema,
} from "../../src/shared/protocol/rest/index.ts";
import { SIGNALLING_PATH } from "../../src/shared/protocol/signalling.ts";
import { everyOddValue, makeAttack, type Target } from "./attacks.ts";
import { inParallel } from "../support/parallel.ts";
import { openSocket, until } from "../../src/server/host.harness.ts";
import { mutate, seededRandom } from "../../src/shared/mutate.harness.ts";

const REQUESTS = 1000;
/** Requests under way at the same time. */
const PARALLEL = 8;
const INSIDE =
  /node_modules|\.ts:\d+|\n\s+at |postgres|drizzle|sqlstate|syntax error|argon2|select |insert /i;

describe("The platform under malformed requests", () => {
  let dataDir: string;
  let platform: TestPlatform;
  let origin: string;
  let target: Target;
  let ownTicketRequest: Record<string, unknown>;
  const errors: unknown[] = [];

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

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "console-malformed-"));
    // Messages at level error are those that would alert an operator.
    const log = pino({ level: "error" }, { write: (line) => void errors.push(JSON.parse(line)) });
    platform = await startTestPlatform({ log, clock: systemClock, env: { DATA_DIR: dataDir } });
    ({ origin } = platform);
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
    ownTicketRequest = { uid: "lina", confrType: 13, callee: "zhangwei" };
    const made = ticketResponseSchema.parse(
      await (await ticket(own.access_token, JSON.stringify(ownTicketRequest))).json(),
    );
    const chat = { source: "环信", systemName: "web" };
    target = {
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
  }, 120_000);

  afterAll(async () => {
    await platform.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Contents of every table but the log of wrong passwords and what the server writes of itself, so that a changed row is detected. */
  async function everything(): Promise<Record<string, unknown>> {
    const { pool } = platform.platform.database;
    const tables = await pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'sign_ins' and table_name not like 'fleet_rollups%' and table_name <> 'alert_processes' order by 1",
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

  /** Sends the target unchanged over a separate connection. fetch would normalise it. */
  function raw(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body = "",
  ): Promise<{ status: number; text: string; type: string }> {
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

  /** Makes one request and checks what every answer must satisfy. */
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

  it("answers every odd value in every place that a call reads", async () => {
    const before = await everything();
    const attacks = everyOddValue(target);
    expect(attacks.length).toBeGreaterThan(500);
    const wrong: string[] = [];
    await inParallel(PARALLEL, attacks, async ({ what, path, init }) => {
      try {
        await attack(what, path, init);
      } catch (error) {
        wrong.push(String(error).slice(0, 400));
      }
    });
    expect(wrong).toEqual([]);
    expect(await everything()).toEqual(before);
    expect(errors).toEqual([]);
  }, 300_000);

  it(`answers ${REQUESTS} other requests with a clear refusal and changes no row`, async () => {
    const before = await everything();
    const random = seededRandom(20_261_122);
    const statuses = new Map<number, number>();
    const attacks = Array.from({ length: REQUESTS }, () => makeAttack(random, target));
    await inParallel(PARALLEL, attacks, async ({ what, path, init }) => {
      const response = await attack(what, path, init);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const type = response.headers.get("content-type") ?? "";
      if (response.status < 400 || type.startsWith("application/json")) {
        const envelope = envelopeSchema.safeParse(await response.json());
        expect(envelope.success, `${what} ${path}`).toBe(true);
        if (response.status >= 400) {
          expect(envelope.data?.code, what).not.toBe(0);
          expect(envelope.data?.msg, what).toMatch(/[\u4e00-\u9fff]/);
        }
      }
    });
    expect(await everything()).toEqual(before);
    // The attacks reach their targets: some pass as harmless reads, most are refused, in each of the ways.
    const refused = [...statuses].filter(([s]) => s >= 400).reduce((sum, [, n]) => sum + n, 0);
    expect(refused).toBeGreaterThan(REQUESTS / 2);
    for (const status of [400, 401, 403, 413]) expect([...statuses.keys()]).toContain(status);
    expect(errors).toEqual([]);
    await get(accountCall.path, target.token);
  }, 300_000);

  it("answers 300 malformed ticket requests and creates no conference", async () => {
    const before = await everything();
    const random = seededRandom(3);
    const texts: string[] = [];
    while (texts.length < 300) {
      const text = mutate(random, { ...ownTicketRequest, confrId: "c1", terminal: "web" });
      if (!grants(text)) texts.push(text);
    }
    await inParallel(PARALLEL, texts, async (text) => {
      const response = await attack("ticket", ticketPath("easemob"), {
        method: "POST",
        headers: { authorization: `Bearer ${target.token}` },
        body: text,
      });
      const body = ticketResponseSchema.parse(await response.json());
      expect(body.error, text.slice(0, 300)).toBeLessThan(0);
      expect(body.ticket).toBeUndefined();
    });
    for (const token of target.badTokens) {
      const response = await ticket(token, JSON.stringify(ownTicketRequest));
      expect(response.status, token.slice(0, 60)).toBe(401);
      await attack("video token", `${rtcTokenPath}?userAccount=wangfang&channelName=%00&appkey=x`, {
        headers: { authorization: `Bearer ${token}` },
      });
    }
    expect(await everything()).toEqual(before);
    expect(errors).toEqual([]);
  }, 60_000);

  /** Whether a mutation is still a valid request: lina may call her colleagues. */
  function grants(text: string): boolean {
    try {
      const parsed = ticketRequestSchema.safeParse(JSON.parse(text));
      return parsed.success && parsed.data.uid === "lina" && parsed.data.confrId === undefined;
    } catch {
      return false;
    }
  }

  it("refuses odd paths and raw targets", async () => {
    const targets = [
      "//evil.example/",
      "/%00",
      "/%ff%fe",
      "/..%2f..%2fetc/passwd",
      "/../../etc/passwd",
      "/%2e%2e/%2e%2e/package.json",
      "/assets/..%5c..%5cpackage.json",
      `/${"a/".repeat(3000)}`,
      "/uaa/api/account/",
      "/uaa//api/account",
      "/easemob/rtc/req/ticket/x",
      "/token/rtcToken/v1%00",
      "*",
      "http://evil.example/uaa/api/account",
      "/uaa/api/account?systemName=%E0%A4%A",
      "/signalling",
      "/quality",
    ];
    for (const path of targets) {
      for (const method of ["GET", "POST", "OPTIONS", "TRACE"]) {
        const { status, text } = await raw(method, path);
        expect(status, `${method} ${path.slice(0, 80)} ${text.slice(0, 200)}`).toBeLessThan(500);
        expect(text, path).not.toMatch(INSIDE);
        expect(text, path).not.toMatch(/root:|"dependencies"/);
      }
    }
    expect(errors).toEqual([]);
  });

  it("still runs signalling and quality: a call, its statistics, and its end with the session", async () => {
    // The earlier requests may have used up the person's rate limit.
    let made = ticketResponseSchema.parse({ error: -1 });
    await until("a ticket is granted", async () => {
      made = ticketResponseSchema.parse(
        await (await ticket(target.token, JSON.stringify(ownTicketRequest))).json(),
      );
      return made.error === 0;
    });
    const socket = await openSocket(origin + SIGNALLING_PATH);
    socket.send({ op: 200, tsxId: "e", ticket: made.ticket });
    expect(await socket.waitForFrame({ op: 1001 })).toMatchObject({
      result: 0,
      role: 7,
      memId: "lina",
    });
    const quality = await openSocket(`${origin}${made.ticket?.qoeUpUrl}?orgName=hyzh`);
    const record = {
      kind: 2,
      confrId: made.confrId,
      memId: "lina",
      memName: "lina",
      time: 1,
      sessionId: "s",
      event: 0,
    };
    quality.send({ batch: "b", records: [record] });
    expect(await quality.waitForFrame({})).toEqual({
      batch: "b",
      result: 0,
      startedAt: expect.any(Number),
    });
    const metrics = async () => (await fetch(`${origin}/metrics`)).text();
    for (const name of ["signalling_sockets", "quality_sockets", "conference_members"]) {
      expect(await metrics()).toMatch(new RegExp(`^${name} 1$`, "m"));
    }
    await fetch(`${origin}${restCalls.logout.path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${target.token}` },
    });
    expect([await socket.closed(), await quality.closed()]).toEqual([4401, 4401]);
    await until("both are gone", async () => /^signalling_sockets 0$/m.test(await metrics()));
    expect(errors).toEqual([]);
  });
});
