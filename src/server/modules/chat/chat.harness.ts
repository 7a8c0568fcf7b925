/** For tests: a gateway on a real port with an in-memory database, and a client that speaks the wire protocol itself. */
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { eq, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { Hono } from "hono";
import pino from "pino";
import { Registry } from "prom-client";
import { WebSocket, WebSocketServer } from "ws";
import { readConfig } from "../../base/config.ts";
import { createLocalBus } from "../../base/cluster/bus.ts";
import { accounts, sessions } from "../../base/database/schema/base.ts";
import type { Database } from "../../base/database/index.ts";
import { createTenants } from "../../base/database/tenant.ts";
import type { Bus, Clock, Directory, HttpEnv, ServerDeps } from "../../base/module.ts";
import { createGateway } from "./gateway.ts";
import { CHAT_LIMITS } from "./limits.ts";
import { createProviderRest } from "./provider-rest.ts";
import {
  BODY,
  COMMAND,
  CONTENT,
  MSyncCodec,
  MessageBodyCodec,
  NAMESPACE,
  NoticeCodec,
  ProvisionCodec,
  StatisticsCodec,
  SyncDownCodec,
  SyncUpCodec,
  UnreadDownCodec,
} from "./wire.ts";
import type {
  Codec,
  MSync,
  MessageBody,
  Meta,
  Provision,
  SyncDown,
  SyncUp,
  UnreadDown,
} from "./wire.ts";

export const APP_KEY = "hyzh#console";
const SECRET = "a secret of at least thirty-two characters";

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
    sql`truncate chat_message, chat_read, chat_inbox_head, chat_inbox, chat_cursor, chat_presence_subscription, chat_profile, accounts cascade`,
  );
}

/** @param options.database an open database, which stays open when the server closes */
export async function startTestServer(options: {
  database: Database;
  port?: number;
  /** A bus shared with another server simulates two processes of one platform. */
  bus?: Bus;
}): Promise<TestServer> {
  const log = pino({ level: "silent" });
  const bus = options.bus ?? createLocalBus(log);
  const ended = new Set<(s: { sessionId: string; accountId: string }) => void>();
  const directory: Directory = {
    authenticate: () => Promise.reject(new Error("not used")),
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
    onSessionEnd(handler) {
      ended.add(handler);
      return () => ended.delete(handler);
    },
  };
  const config = { ...readConfig({ APP_SECRET: SECRET, LOG_LEVEL: "silent" }, undefined) };
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
    };
    gateway = createGateway(deps);
    await gateway.start();
    const app = new Hono<HttpEnv>();
    app.use(async (c, next) => {
      c.set("client", { address: "127.0.0.1", key: "127.0.0.1", secure: false });
      await next();
    });
    const rest = createProviderRest({
      ...deps,
      ...gateway,
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
      for (const handler of ended) handler({ sessionId, accountId: "" });
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
    },
  };
  return server;
}

export interface Received {
  readonly id: string;
  readonly from: string;
  readonly type: number;
  readonly text: string;
  readonly action: string;
  readonly about: string;
  readonly meta: Meta;
}

export interface TestClient {
  readonly socket: WebSocket;
  readonly received: Received[];
  readonly statistics: number[];
  readonly notices: number;
  /** Answers to pulls that reported nothing left. */
  readonly ends: number;
  /** Received batches that contained messages. */
  readonly batches: SyncDown[];
  /** When false, pulled batches are not acknowledged and notices are not followed by a pull. */
  auto: boolean;
  closed: { code: number; reason: string } | null;
  login(userName: string, resource: string, token: string): Promise<Provision>;
  /** A string is sent as a text frame. */
  sendRaw(bytes: Uint8Array | string): void;
  command(command: number, payload?: Uint8Array): void;
  sync(up: SyncUp): void;
  upload(
    id: string,
    to: string,
    body: Partial<MessageBody>,
    meta?: Partial<Meta>,
  ): Promise<SyncDown>;
  text(id: string, to: string, text: string, meta?: Partial<Meta>): Promise<SyncDown>;
  cmd(id: string, to: string, action: string, meta?: Partial<Meta>): Promise<SyncDown>;
  unread(): Promise<UnreadDown>;
  /** Resolves when the condition holds. It is checked after every frame and on close. */
  until(what: string, condition: () => boolean): Promise<void>;
}

export async function openClient(base: string): Promise<TestClient> {
  const socket = new WebSocket(`ws://${base}/websocket`);
  socket.binaryType = "nodebuffer";
  const changed = new EventEmitter();
  changed.setMaxListeners(0);
  const acks = new Map<string, (down: SyncDown) => void>();
  let onProvision: ((p: Provision) => void) | undefined;
  let onUnread: ((u: UnreadDown) => void) | undefined;
  let user = "";
  let notices = 0;
  let ends = 0;

  const client: TestClient = {
    socket,
    received: [],
    statistics: [],
    batches: [],
    get notices() {
      return notices;
    },
    get ends() {
      return ends;
    },
    auto: true,
    closed: null,
    login(userName, resource, token) {
      user = userName;
      return new Promise((resolve) => {
        onProvision = resolve;
        client.sendRaw(
          MSyncCodec.encode({
            guid: { appKey: APP_KEY, name: userName, domain: "easemob.com" },
            auth: `$t$${token}`,
            command: COMMAND.provision,
            payload: ProvisionCodec.encode({
              resource,
              osType: 16,
              authToken: JSON.stringify({ token: `$t$${token}` }),
            }),
          }),
        );
      });
    },
    sendRaw: (bytes) => socket.send(bytes),
    command: (command, payload = new Uint8Array()) =>
      socket.send(MSyncCodec.encode({ command, payload })),
    sync: (up) => client.command(COMMAND.sync, SyncUpCodec.encode(up)),
    upload(id, to, body, meta = {}) {
      return new Promise((resolve) => {
        acks.set(id, resolve);
        client.sync({
          meta: {
            id,
            ns: NAMESPACE.chat,
            to: { appKey: APP_KEY, name: to, domain: "easemob.com" },
            routetype: 0,
            payload: MessageBodyCodec.encode({
              type: BODY.chat,
              from: { name: user },
              to: { name: to },
              ...body,
            }),
            ...meta,
          },
        });
      });
    },
    text: (id, to, text, meta) =>
      client.upload(id, to, { contents: [{ type: CONTENT.text, text }] }, meta),
    cmd: (id, to, action, meta) =>
      client.upload(id, to, { contents: [{ type: CONTENT.command, action }] }, meta),
    unread() {
      return new Promise((resolve) => {
        onUnread = resolve;
        client.command(COMMAND.unread);
      });
    },
    async until(what, condition) {
      const deadline = AbortSignal.timeout(25_000);
      while (!condition()) {
        try {
          await once(changed, "change", { signal: deadline });
        } catch {
          throw new Error(`still waiting: ${what}`);
        }
      }
    },
  };

  function receive(meta: Meta): void {
    if (meta.ns === NAMESPACE.statistic) {
      client.statistics.push(StatisticsCodec.decode(meta.payload ?? new Uint8Array()).operation);
      return;
    }
    const body: MessageBody =
      meta.ns === NAMESPACE.chat
        ? MessageBodyCodec.decode(meta.payload ?? new Uint8Array())
        : { type: -meta.ns };
    client.received.push({
      id: meta.id,
      from: meta.from?.name ?? "",
      type: body.type,
      text:
        meta.ns === NAMESPACE.chat
          ? (body.contents?.[0]?.text ?? "")
          : Buffer.from(meta.payload ?? []).toString(),
      action: body.contents?.[0]?.action ?? "",
      about: body.ackMessageId ?? "",
      meta,
    });
  }

  socket.on("message", (data: Buffer) => {
    const message: MSync = MSyncCodec.decode(data);
    const payload = message.payload ?? new Uint8Array();
    const read = <T>(codec: Codec<T>): T => codec.decode(payload);
    if (message.command === COMMAND.provision) onProvision?.(read(ProvisionCodec));
    else if (message.command === COMMAND.unread) onUnread?.(read(UnreadDownCodec));
    else if (message.command === COMMAND.notice) {
      notices += 1;
      const { queue } = read(NoticeCodec);
      if (client.auto && queue !== undefined) client.sync({ queue });
    } else if (message.command === COMMAND.sync) {
      const down = read(SyncDownCodec);
      if (down.metaId !== undefined) {
        acks.get(down.metaId)?.(down);
        acks.delete(down.metaId);
      }
      if (down.isLast === true && (down.metas ?? []).length === 0) ends += 1;
      for (const meta of down.metas ?? []) receive(meta);
      if (down.nextKey !== undefined && (down.metas ?? []).length > 0) {
        client.batches.push(down);
        if (client.auto && down.queue !== undefined) {
          client.sync({ queue: down.queue, key: down.nextKey });
        }
      }
    }
    changed.emit("change");
  });
  socket.on("close", (code, reason) => {
    client.closed = { code, reason: reason.toString() };
    changed.emit("change");
  });
  socket.on("error", () => changed.emit("change"));
  await once(socket, "open");
  return client;
}
