/**
 * A small in-process host for single server modules: real HTTP and WebSockets on port 0, an in-memory database, invented
 * people, and a manual clock.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type pg from "pg";
import pino from "pino";
import { Registry } from "prom-client";
import { WebSocket, WebSocketServer } from "ws";
import { readConfig } from "./base/config.ts";
import { createTenants } from "./base/database/tenant.ts";
import { handleError } from "./base/http/errors.ts";
import { createTasks } from "./base/tasks/index.ts";
import { createClients } from "./base/http/client.ts";
import { openTestDatabase } from "./base/database/database.harness.ts";
import type {
  Clock,
  CreateModule,
  Directory,
  HttpEnv,
  Principal,
  ServerDeps,
  ServerModule,
} from "./base/module.ts";
import { AppError } from "../shared/errors.ts";
import type { AccessEnd } from "./base/cluster/access.ts";

export interface ManualClock extends Clock {
  /** Advances the time and runs what becomes due, in order. */
  advance(ms: number): void;
  readonly pending: number;
}

export function createManualClock(start = 1_700_000_000_000): ManualClock {
  let now = start;
  let serial = 0;
  const timers = new Map<number, { at: number; run: () => void }>();
  return {
    now: () => now,
    setTimeout(run, ms) {
      const id = (serial += 1);
      timers.set(id, { at: now + ms, run });
      return { cancel: () => void timers.delete(id) };
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const due = [...timers].filter(([, t]) => t.at <= until).sort((a, b) => a[1].at - b[1].at);
        const next = due[0];
        if (next === undefined) break;
        timers.delete(next[0]);
        now = Math.max(now, next[1].at);
        next[1].run();
      }
      now = until;
    },
    get pending() {
      return timers.size;
    },
  };
}

export interface TestDirectory extends Directory {
  endSession(sessionId: string): void;
  /** Logins that the modules hold open, as they say when ends may have been missed. */
  openSessions(): string[];
  /** The person leaves a company for another one. */
  move(user: string, from: string, to: string): void;
  /** Revives all ended sessions. */
  reset(): void;
}

/**
 * People by chat user name. `zhangwei` has the token `token-zhangwei`, session `session-zhangwei`, account `account-zhangwei`.
 */
export function createTestDirectory(
  companies: Record<string, readonly string[]>,
  guests: readonly string[] = [],
  permissions: Readonly<Record<string, readonly string[]>> = {},
): TestDirectory {
  const handlers = new Set<(end: AccessEnd) => void>();
  const opens = new Set<() => Iterable<string>>();
  const people = new Map(Object.entries(companies).map(([id, users]) => [id, new Set(users)]));
  const ended = new Set<string>();
  const suppliersOf = (user: string): string[] =>
    [...people].filter(([, users]) => users.has(user)).map(([id]) => id);
  const principalOf = (user: string): Principal => ({
    accountId: `account-${user}`,
    username: user,
    sessionId: `session-${user}`,
    supplierIds: suppliersOf(user),
    supplierId: null,
    grants: (guests.includes(user) ? [] : suppliersOf(user)).map((supplierId) => ({
      supplierId,
      roleId: `${supplierId}-staff`,
      roleCode: "staff",
      permissions: permissions[user] ?? [],
    })),
    permissions: [],
    chatUserName: user,
  });
  return {
    authenticate(token) {
      const user = token.startsWith("token-") ? token.slice("token-".length) : "";
      if (suppliersOf(user).length === 0 || ended.has(`session-${user}`)) {
        return Promise.reject(new AppError("auth.expired"));
      }
      return Promise.resolve(principalOf(user));
    },
    principalOf(sessionId) {
      const user = sessionId.replace("session-", "");
      const valid = suppliersOf(user).length > 0 && !ended.has(sessionId);
      return Promise.resolve(valid ? principalOf(user) : null);
    },
    personByChatName: (user) =>
      Promise.resolve(
        suppliersOf(user).length === 0
          ? null
          : { accountId: `account-${user}`, userName: user, name: user, avatar: "" },
      ),
    mayTalk: (a, b) => Promise.resolve(suppliersOf(a).some((c) => suppliersOf(b).includes(c))),
    colleagues: (user) =>
      Promise.resolve([
        ...new Set(
          suppliersOf(user).flatMap((c) => [...(people.get(c) ?? [])].filter((u) => u !== user)),
        ),
      ]),
    sessionAlive: (sessionId) => Promise.resolve(!ended.has(sessionId)),
    onAccessEnd(handler, open = () => []) {
      handlers.add(handler);
      opens.add(open);
      return () => {
        handlers.delete(handler);
        opens.delete(open);
      };
    },
    openSessions: () => [...opens].flatMap((open) => [...open()]),
    reset: () => ended.clear(),
    move(user, from, to) {
      people.get(from)?.delete(user);
      people.get(to)?.add(user);
      for (const handler of handlers) {
        handler({ of: "company", accountId: `account-${user}`, userName: user, supplierId: from });
      }
    },
    endSession(sessionId) {
      ended.add(sessionId);
      for (const handler of handlers) {
        const accountId = sessionId.replace("session-", "account-");
        handler({ of: "login", sessionId, accountId, why: "signed-out" });
      }
    },
  };
}

export interface TestHost {
  readonly origin: string;
  readonly deps: ServerDeps;
  readonly clock: ManualClock;
  readonly directory: TestDirectory;
  readonly pg: pg.Pool;
  /** Stops the modules and starts new ones on the same database and port, like a restarted process. */
  restart(): Promise<void>;
  /**
   * A restart between two tests: sockets are closed and sessions revived. The database keeps its rows, because creating an
   * empty one takes seconds.
   */
  reset(): Promise<void>;
  metrics(): Promise<string>;
  close(): Promise<void>;
}

export async function createTestHost(options: {
  readonly modules: readonly CreateModule[];
  readonly env?: Record<string, string>;
  /** People by company. Where companies are stored, the ids must match the database. */
  readonly companies?: Record<string, readonly string[]>;
  /** Those people who have no role. */
  readonly guests?: readonly string[];
  /** What a person's roles allow. The default is nothing. */
  readonly permissions?: Readonly<Record<string, readonly string[]>>;
}): Promise<TestHost> {
  const database = await openTestDatabase();
  const clock = createManualClock();
  const directory = createTestDirectory(
    options.companies ?? {
      huaan: ["zhangwei", "lina", "chenjie"],
      chengnan: ["wangfang", "zhaolei"],
    },
    options.guests,
    options.permissions,
  );
  const base = {
    config: readConfig({ APP_SECRET: "s".repeat(40), ...options.env }),
    db: database.db,
    tenants: createTenants(database.pool),
    log: pino({ level: "silent" }),
    clock,
    bus: {
      publish: () => Promise.resolve(),
      subscribe: () => () => undefined,
      close: () => Promise.resolve(),
    },
    directory,
  };
  let modules: ServerModule[] = [];
  let deps: ServerDeps;
  let listener: ReturnType<typeof getRequestListener>;

  async function boot(): Promise<void> {
    const tasks = createTasks(base);
    deps = { ...base, metrics: new Registry(), tasks };
    modules = options.modules.map((create) => create(deps));
    const app = new Hono<HttpEnv>();
    const clients = createClients(base.config.TRUSTED_PROXIES);
    app.use(async (c, next) => {
      c.set("client", clients.clientOf((c.env as { incoming: IncomingMessage }).incoming));
      c.set("log", base.log);
      await next();
    });
    for (const module of modules) module.routes?.(app);
    app.onError(handleError);
    listener = getRequestListener(app.fetch);
    // Last, when every module has added its tasks.
    modules.push({ name: "tasks", start: () => tasks.start(), stop: () => tasks.stop() });
    for (const module of modules) await module.start?.();
  }
  async function halt(): Promise<void> {
    for (const module of modules.toReversed()) await module.stop?.();
  }
  await boot();

  const server: Server = createServer((req, res) => void listener(req, res));
  const upgraders = new Map<string, WebSocketServer>();
  server.on("upgrade", (request, socket, head) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const route = modules.flatMap((m) => m.sockets ?? []).find((r) => r.path === url.pathname);
    if (route === undefined) {
      socket.destroy();
      return;
    }
    let upgrader = upgraders.get(route.path);
    if (upgrader === undefined) {
      upgrader = new WebSocketServer({ noServer: true, maxPayload: route.maxPayload });
      upgraders.set(route.path, upgrader);
    }
    upgrader.handleUpgrade(request, socket, head, (ws) =>
      route.accept(ws, request, url, { address: "127.0.0.1", identify: () => true }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://127.0.0.1:${port}`,
    get deps() {
      return deps;
    },
    clock,
    directory,
    pg: database.pool,
    async restart() {
      await halt();
      await boot();
    },
    async reset() {
      await halt();
      for (const upgrader of upgraders.values()) {
        for (const client of upgrader.clients) client.terminate();
      }
      directory.reset();
      await boot();
    },
    metrics: () => deps.metrics.metrics(),
    async close() {
      await halt();
      for (const upgrader of upgraders.values()) {
        for (const client of upgrader.clients) client.terminate();
      }
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await database.close();
    },
  };
}

/** Polls until the condition holds. Fails with `what` after 30 s; the limit is long because a busy machine is not a failure. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export interface TestSocket {
  readonly ws: WebSocket;
  /** Every frame received so far. */
  readonly frames: Record<string, unknown>[];
  send(frame: unknown): void;
  /** Sends text unchanged. */
  raw(text: string | Buffer): void;
  /** Returns the first matching frame, received already or later, that was not returned before. */
  waitForFrame(match: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Resolves with the close code once closed. */
  closed(): Promise<number>;
  close(): void;
}

export async function openSocket(address: string): Promise<TestSocket> {
  const ws = new WebSocket(address.replace(/^http/, "ws"));
  const frames: Record<string, unknown>[] = [];
  const taken = new Set<Record<string, unknown>>();
  let code: number | null = null;
  ws.on("message", (data) => frames.push(JSON.parse(String(data)) as Record<string, unknown>));
  ws.on("close", (c) => {
    code = c;
  });
  await new Promise<void>((resolve, reject) => {
    ws.once("open", resolve);
    ws.once("error", reject);
  });
  ws.on("error", () => undefined);
  return {
    ws,
    frames,
    send: (frame) => ws.send(JSON.stringify(frame)),
    raw: (text) => ws.send(text),
    async waitForFrame(match) {
      const find = (): Record<string, unknown> | undefined =>
        frames.find(
          (f) => !taken.has(f) && Object.entries(match).every(([key, value]) => f[key] === value),
        );
      await until(
        `a frame ${JSON.stringify(match)} in ${JSON.stringify(frames).slice(-600)}`,
        () => find() !== undefined,
      );
      const frame = find();
      if (frame === undefined) throw new Error("unreachable");
      taken.add(frame);
      return frame;
    },
    async closed() {
      await until("the socket closes", () => code !== null);
      return code ?? 0;
    },
    close: () => ws.close(),
  };
}
