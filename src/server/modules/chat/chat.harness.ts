/** For tests: a gateway on a real port with an in-memory database. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { eq, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { Hono } from "hono";
import pino from "pino";
import { Registry } from "prom-client";
import { WebSocketServer } from "ws";
import { readConfig } from "../../base/config.ts";
import { createLocalBus } from "../../base/cluster/bus.ts";
import { accounts, sessions } from "../../base/database/schema/base.ts";
import type { AccessEnd } from "../../base/cluster/access.ts";
import type { Database } from "../../base/database/index.ts";
import { createKeptFailures } from "../../base/limits/kept-failures.ts";
import { createTenants } from "../../base/database/tenant.ts";
import { createTasks } from "../../base/tasks/index.ts";
import type { Bus, Clock, Directory, HttpEnv, ServerDeps } from "../../base/module.ts";
import { createGateway } from "./gateway.ts";
import { CHAT_LIMITS } from "./limits.ts";
import { createProviderRest } from "./rest/provider-rest.ts";
import { openClient, type TestClient } from "./client.harness.ts";

export const SECRET = "a secret of at least thirty-two characters";

const realClock: Clock = {
  now: () => Date.now(),
  setTimeout(run, ms) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** alice, bob and carol share a company; mallory is in another one. */
const COLLEAGUES: Record<string, readonly string[]> = {
  alice: ["bob", "carol"],
  bob: ["alice", "carol"],
  carol: ["alice", "bob"],
  mallory: [],
};

export interface TestServer {
  readonly base: string;
  readonly gateway: ReturnType<typeof createGateway>;
  readonly db: NodePgDatabase;
  readonly metrics: Registry;
  readonly dataDir: string;
  /** Creates a login of the user, with an account for it. */
  addSession(userName: string, sessionId: string): Promise<void>;
  endSession(sessionId: string): Promise<void>;
  /** Stops and starts the gateway on the same database, like a restarted process. */
  restart(): Promise<void>;
  token(userName: string, sessionId?: string): Promise<string>;
  client(userName: string, resource?: string, token?: string): Promise<TestClient>;
  close(): Promise<void>;
}

/** Starting a database takes seconds, so each test file uses one and empties it between tests. */
export async function emptyDatabase(db: NodePgDatabase): Promise<void> {
  await db.execute(
    sql`truncate chat_message, chat_read, chat_inbox_head, chat_inbox, chat_cursor, chat_group_cursor, chat_presence_subscription, chat_profile, chat_status, chat_setting, chat_files, accounts, failed_guesses cascade`,
  );
}

/** @param options.database an open database, which stays open when the server closes */
export async function startTestServer(options: {
  database: Database;
  port?: number;
  /** A bus shared with another server simulates two processes of one platform. */
  bus?: Bus;
  env?: Readonly<Record<string, string>>;
}): Promise<TestServer> {
  const log = pino({ level: "silent" });
  const bus = options.bus ?? createLocalBus(log);
  const ended = new Set<(end: AccessEnd) => void>();
  const directory: Directory = {
    authenticate: () => Promise.reject(new Error("not used")),
    principalOf: () => Promise.reject(new Error("not used")),
    async personByChatName(userName) {
      return userName in COLLEAGUES
        ? { accountId: `account-${userName}`, userName, name: userName, avatar: "" }
        : null;
    },
    async mayTalk(a, b) {
      return (COLLEAGUES[a] ?? []).includes(b);
    },
    async colleagues(userName) {
      return [...(COLLEAGUES[userName] ?? [])];
    },
    sessionAlive: () => Promise.reject(new Error("not used")),
    onAccessEnd(handler) {
      ended.add(handler);
      return () => ended.delete(handler);
    },
  };
  const dataDir = mkdtempSync(join(tmpdir(), "chat-"));
  const settings = { APP_SECRET: SECRET, LOG_LEVEL: "silent", DATA_DIR: dataDir };
  const config = readConfig({ ...settings, ...options.env }, undefined);
  const clients = new Set<TestClient>();

  let metrics = new Registry();
  let gateway: ReturnType<typeof createGateway>;
  let http: ReturnType<typeof createServer>;
  let port = options.port ?? 0;

  async function up(): Promise<void> {
    metrics = new Registry();
    const deps: ServerDeps = {
      config,
      db: options.database.db,
      tenants: createTenants(options.database.pool),
      log,
      clock: realClock,
      metrics,
      bus,
      directory,
      // not started: the tests sweep themselves
      tasks: createTasks({ db: options.database.db, clock: realClock, log }),
    };
    gateway = createGateway(deps);
    await gateway.start();
    const app = new Hono<HttpEnv>();
    app.use(async (c, next) => {
      c.set("client", { address: "127.0.0.1", key: "127.0.0.1", secure: false, hosts: [] });
      await next();
    });
    const rest = createProviderRest({
      ...deps,
      ...gateway,
      failures: createKeptFailures({ db: deps.db, secret: config.APP_SECRET }),
      appKey: config.EASEMOB_APP_KEY,
    });
    app.route(rest.prefix, rest.app);
    http = createServer(getRequestListener(app.fetch));
    new WebSocketServer({
      server: http,
      path: "/websocket",
      maxPayload: CHAT_LIMITS.frameBytes,
    }).on("connection", (socket) => gateway.accept(socket, { identify: () => true }));
    http.listen(port, "127.0.0.1");
    await once(http, "listening");
    port = (http.address() as AddressInfo).port;
  }

  async function down(): Promise<void> {
    await gateway.stop();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }

  await up();
  const server: TestServer = {
    get base() {
      return `127.0.0.1:${port}`;
    },
    get gateway() {
      return gateway;
    },
    get metrics() {
      return metrics;
    },
    db: options.database.db,
    dataDir,
    async addSession(userName, sessionId) {
      const { db } = options.database;
      const account = { username: userName, nickname: userName, passwordHash: "x" };
      await db
        .insert(accounts)
        .values({ ...account, chatUserName: userName })
        .onConflictDoNothing();
      const [row] = await db.select().from(accounts).where(eq(accounts.chatUserName, userName));
      const now = new Date();
      await db.insert(sessions).values({
        id: sessionId,
        accountId: row?.id ?? "",
        systemName: "test",
        refreshHash: sessionId,
        createdAt: now,
        refreshedAt: now,
        expiresAt: new Date(now.getTime() + 60_000),
      });
    },
    async endSession(sessionId) {
      await options.database.db
        .update(sessions)
        .set({ revokedAt: new Date() })
        .where(eq(sessions.id, sessionId));
      for (const handler of ended)
        handler({ of: "login", sessionId, accountId: "", why: "signed-out" });
    },
    async restart() {
      await down();
      await up();
    },
    async token(userName, sessionId) {
      const password = gateway.credentials.password(userName, sessionId);
      const response = await fetch(`http://${server.base}/hyzh/console/token`, {
        method: "POST",
        body: JSON.stringify({ grant_type: "password", username: userName, password }),
      });
      const { access_token: token } = (await response.json()) as { access_token: string };
      return token;
    },
    async client(userName, resource = "web_1", token) {
      const client = await openClient(server.base);
      clients.add(client);
      await client.login(userName, resource, token ?? (await server.token(userName)));
      return client;
    },
    async close() {
      for (const client of clients) client.socket.terminate();
      await down();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return server;
}
