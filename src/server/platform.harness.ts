/** For tests: a complete platform on an in-memory database with the demo data, a manual clock, and an HTTP client. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { z } from "zod";
import pino from "pino";
import { createManualClock, type ManualClock } from "./host.harness.ts";
import type { SystemName } from "../shared/protocol/config.ts";
import { type TokenGrant, tokenGrantSchema } from "../shared/protocol/rest/auth.ts";
import { envelopeSchema } from "../shared/protocol/rest/call.ts";
import { CLIENTS } from "./modules/accounts/clients.ts";
import { createPasswords } from "./modules/accounts/passwords.ts";
import { readConfig } from "./base/config.ts";
import { DRAIN_MS } from "./base/http/listening.ts";
import { openTestDatabase, type TemplateData } from "./base/database/database.harness.ts";
import { DEMO_PASSWORD, seed } from "./base/database/seed.ts";
import { createPlatform, type Platform, type PlatformOptions } from "./platform.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: z.infer<typeof envelopeSchema> & { details?: Record<string, unknown> };
}

export interface TestPlatform {
  readonly origin: string;
  readonly platform: Platform;
  readonly db: NodePgDatabase;
  readonly clock: ManualClock;
  /** @param options json or form: the body; token: the bearer token; supplierId: the supplier-id header */
  ask(
    method: string,
    path: string,
    options?: {
      token?: string;
      supplierId?: string;
      json?: unknown;
      form?: Record<string, string>;
      headers?: Record<string, string>;
    },
  ): Promise<Answer>;
  tryLogin(username: string, password?: string, system?: SystemName): Promise<Answer>;
  login(username: string): Promise<TokenGrant>;
  refresh(refreshToken: string): Promise<Answer>;
  close(): Promise<void>;
}

export const basic = (system: SystemName): string => {
  const client = CLIENTS[system];
  return `Basic ${Buffer.from(`${client?.id}:${client?.secret}`).toString("base64")}`;
};

export interface TestPlatformOptions extends Partial<PlatformOptions> {
  /** Settings of the server. */
  readonly env?: Record<string, string>;
}

/** Most of the processor time of a test of the server would be hashes. */
const CHEAP = createPasswords({ memoryCost: 64, timeCost: 1 });

const SEED_FILES = /^(?:seed.*|companies)\.ts$/;
/** The demo data, as the platform itself fills an empty database. */
const DEMO: TemplateData = {
  key: (() => {
    const folder = new URL("base/database/", import.meta.url);
    const files = readdirSync(folder).filter((name) => SEED_FILES.test(name));
    const hash = createHash("sha256");
    for (const name of files.toSorted()) hash.update(readFileSync(new URL(name, folder)));
    return hash.digest("hex").slice(0, 8);
  })(),
  async fill(db) {
    await seed(db, { demo: true, administrator: null, hash: CHEAP.hash });
  },
};

export async function startTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const { env, ...rest } = options;
  const isDemo = env?.["DEMO_DATA"] === undefined;
  const database = rest.database ?? (await openTestDatabase(isDemo ? { data: DEMO } : {}));
  const clock = createManualClock();
  const platform = await createPlatform({
    config: readConfig({ APP_SECRET: "s".repeat(40), ...env }),
    log: pino({ level: "silent" }),
    clock,
    database,
    passwords: CHEAP,
    ...rest,
  });
  const origin = `http://127.0.0.1:${await platform.listen(0, "127.0.0.1")}`;

  const ask: TestPlatform["ask"] = async (method, path, request = {}) => {
    const { token, supplierId, json, form } = request;
    const body = form === undefined ? undefined : new URLSearchParams(form);
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(supplierId === undefined ? {} : { "supplier-id": supplierId }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
      ...(json === undefined
        ? {}
        : { body: typeof json === "string" ? json : JSON.stringify(json) }),
      ...(body === undefined ? {} : { body }),
    });
    const parsed = envelopeSchema.loose().parse(await response.json());
    return { status: response.status, headers: response.headers, body: parsed as Answer["body"] };
  };
  const tryLogin: TestPlatform["tryLogin"] = (
    username,
    password = DEMO_PASSWORD,
    system = "sec-web-company-admin",
  ) =>
    ask("POST", "/uaa/login/username", {
      form: { username, password, grant_type: "password" },
      headers: { authorization: basic(system) },
    });

  return {
    origin,
    db: database.db,
    platform,
    clock,
    ask,
    tryLogin,
    async login(username) {
      const { status, body } = await tryLogin(username);
      if (status !== 200) throw new Error(`${username} cannot log in: ${status} ${body.msg}`);
      return tokenGrantSchema.parse(body.data);
    },
    refresh: (refreshToken) =>
      ask("POST", "/uaa/refreshToken", {
        form: { refresh_token: refreshToken, grant_type: "refresh_token" },
        headers: { authorization: basic("sec-web-company-admin") },
      }),
    async close() {
      // The stop waits on this clock for requests that were never sent to their end.
      const late = setInterval(() => clock.advance(DRAIN_MS), 500);
      await platform.close().finally(() => clearInterval(late));
      await database.close();
    },
  };
}
