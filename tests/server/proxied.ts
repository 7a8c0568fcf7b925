/**
 * A platform behind a trusted nginx, and people who use it through the proxy: each logs in and holds the three sockets of a
 * browser.
 */
import { createHash } from "node:crypto";
import { openClient } from "../../src/server/modules/chat/client.harness.ts";
import { systemClock } from "../../src/server/base/clock.ts";
import { DEMO_PASSWORD } from "../../src/server/base/database/seed.ts";
import { basic, startTestPlatform } from "../../src/server/platform.harness.ts";
import { envelopeSchema } from "../../src/shared/protocol/rest/call.ts";
import { loginCall, tokenGrantSchema } from "../../src/shared/protocol/rest/auth.ts";
import { accountInfoSchema, chatUserSchema } from "../../src/shared/protocol/rest/entities.ts";
import { ticketResponseSchema } from "../../src/shared/protocol/rest/rtc.ts";
import { startNginx } from "../support/nginx.ts";
import { openSocket } from "../../src/server/host.harness.ts";

export interface Login {
  readonly status: number;
  readonly error: string | undefined;
  /** Seconds, for a refusal. */
  readonly retryAfter: number;
  readonly token: string;
  readonly cookies: readonly string[];
}

export interface Sockets {
  readonly userName: string;
  /** Close codes of the closed sockets. */
  closed(): readonly number[];
  close(): void;
}

export interface Proxied {
  readonly origin: string;
  /**
   * @param name of an account
   * @param password default: the demo password
   */
  login(name: string, password?: string): Promise<Login>;
  /** Logs in and opens chat, signalling and quality, each until the server knows the account. */
  open(name: string, callee: string): Promise<Sockets>;
  /** Value of a metric, summed over its labels. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

/** @param people number of accounts `person0` … in the first company, with the demo password */
export async function startProxied(people: number): Promise<Proxied> {
  const host = await startTestPlatform({
    clock: systemClock,
    env: { TRUSTED_PROXIES: "127.0.0.1", MEDIA_EMBEDDED: "off" },
  });
  const { pool } = host.platform.database;
  await pool.query(
    `WITH made AS (
       INSERT INTO accounts (username, nickname, chat_user_name, password_hash)
       SELECT 'person' || i, '人' || i, 'person' || i,
         (SELECT password_hash FROM accounts WHERE username = 'lina')
       FROM generate_series(0, $1::int - 1) i RETURNING id, nickname),
     hired AS (
       INSERT INTO employees (company_id, account_id, name) SELECT 1, id, nickname FROM made)
     INSERT INTO account_roles (account_id, role_id)
     SELECT made.id, roles.id FROM made, roles WHERE roles.company_id = 1 AND roles.code = 'staff'`,
    [people],
  );
  const proxy = await startNginx(host.origin);
  const { origin } = proxy;

  const login: Proxied["login"] = async (username, password = DEMO_PASSWORD) => {
    const response = await fetch(origin + loginCall.path, {
      method: "POST",
      headers: { authorization: basic("sec-web-company-admin") },
      body: new URLSearchParams({ username, password, grant_type: "password" }),
    });
    const body = envelopeSchema.loose().parse(await response.json());
    const grant = tokenGrantSchema.safeParse(body.data);
    return {
      status: response.status,
      error: body.error,
      retryAfter: Number(response.headers.get("retry-after") ?? 0),
      token: grant.data?.access_token ?? "",
      cookies: response.headers.getSetCookie(),
    };
  };

  const ask = async (token: string, path: string, json?: unknown): Promise<unknown> => {
    const response = await fetch(origin + path, {
      method: json === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "supplier-id": "1",
        ...(json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const data = async (token: string, path: string): Promise<unknown> =>
    envelopeSchema.parse(await ask(token, path)).data;

  async function open(name: string, callee: string): Promise<Sockets> {
    const { token, error } = await login(name);
    if (token === "") throw new Error(`${name} was not let in: ${error}`);
    const { id } = accountInfoSchema.parse(await data(token, "/uaa/api/account"));
    const query = new URLSearchParams({
      accountId: id,
      source: "环信",
      systemName: "hyzh#console",
    });
    const { userName, password } = chatUserSchema.parse(
      await data(token, `/dc-im/api/user/hx/accountId?${query.toString()}`),
    );
    const granted = (await ask(token, "/hyzh/console/token", {
      grant_type: "password",
      username: userName,
      password,
    })) as { access_token: string };
    const chat = await openClient(origin.replace("http://", ""));
    const resource = `web_${createHash("md5").update(name).digest("hex").slice(0, 8)}`;
    await chat.login(userName, resource, granted.access_token);

    const { ticket } = ticketResponseSchema.parse(
      await ask(token, "/easemob/rtc/req/ticket", { uid: userName, confrType: 13, callee }),
    );
    if (ticket === undefined) throw new Error(`${name} was given no ticket`);
    const signalling = await openSocket(origin + ticket.url);
    signalling.send({ op: 200, tsxId: "e", ticket });
    const entered = await signalling.waitForFrame({ op: 1001 });
    if (entered["result"] !== 0) throw new Error(`${name} did not enter: ${entered["result"]}`);

    const about = new URLSearchParams({ orgName: "hyzh", appName: "console", memName: userName });
    const quality = await openSocket(`${origin}${ticket.qoeUpUrl}?${about.toString()}&ts=1`);
    const { confrId, memName } = ticket;
    const record = { kind: 2, confrId, memName, memId: memName, time: 1, sessionId: "s", event: 0 };
    quality.send({ batch: "b", records: [record] });
    const stored = await quality.waitForFrame({ batch: "b" });
    if (stored["result"] !== 0) throw new Error(`${name}'s quality: ${stored["result"]}`);

    const codes: number[] = [];
    const all = [chat.socket, signalling.ws, quality.ws];
    for (const socket of all) socket.on("close", (code: number) => codes.push(code));
    return {
      userName,
      closed: () => codes,
      close() {
        for (const socket of all) socket.terminate();
      },
    };
  }

  return {
    origin,
    login,
    open,
    async metric(name) {
      const text = await host.platform.metrics.metrics();
      return [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "gm"))].reduce(
        (sum, match) => sum + Number(match[1]),
        0,
      );
    },
    async close() {
      await proxy.close();
      await host.close();
    },
  };
}

/**
 * Tries wrong passwords for one name, first in parallel and then one after the other.
 *
 * @returns the statuses
 */
export async function attack(proxied: Proxied, name: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  const one = async (): Promise<void> => {
    statuses.push((await proxied.login(name, "wrong-password")).status);
  };
  await Promise.all(Array.from({ length: Math.floor(times / 2) }, one));
  while (statuses.length < times) await one();
  return statuses;
}

/**
 * Tries to log in as the owner until it succeeds, waiting as the answers require.
 *
 * @returns the time it took in ms
 */
export async function getIn(proxied: Proxied, name: string): Promise<number> {
  const began = performance.now();
  for (;;) {
    const answer = await proxied.login(name);
    if (answer.status === 200) return performance.now() - began;
    if (answer.status !== 429) throw new Error(`${name}: ${answer.status} ${answer.error}`);
    await new Promise((resolve) => setTimeout(resolve, answer.retryAfter * 1000));
  }
}
