/** The composition root: database, bus, modules, HTTP and WebSockets on one port. No other file knows every module. */
import type { Server } from "node:http";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Logger } from "pino";
import { createAccounts } from "./modules/accounts/index.ts";
import { createAlertChannelsModule } from "./modules/alerts/channels.ts";
import { createAlertsModule } from "./modules/alerts/index.ts";
import { createAlertSending } from "./modules/alerts/sending/index.ts";
import { createPasswords, type Passwords } from "./modules/accounts/passwords.ts";
import { createOwnMessages } from "./base/cluster/own-messages.ts";
import { createCredentials } from "./modules/chat/credentials.ts";
import { createChatModule } from "./modules/chat/index.ts";
import { systemClock } from "./base/clock.ts";
import { createSignallingModule } from "./modules/signalling/index.ts";
import type { ServerConfig } from "./base/config.ts";
import { type Database, openDatabase } from "./base/database/index.ts";
import { createTenants } from "./base/database/tenant.ts";
import { createDataChangesModule } from "./modules/data-changes/index.ts";
import { createFilesModule } from "./modules/files/index.ts";
import { createHttpApp } from "./base/http/app.ts";
import { createRequestsInFlight } from "./base/http/requests-in-flight.ts";
import { createClients } from "./base/http/client.ts";
import { createAppServer, type Middleware } from "./base/http/app-server.ts";
import { CONNECTION_LIMITS, guardConnections } from "./base/http/connections.ts";
import { addOperations, createOperationsServer } from "./base/http/operations.ts";
import { drain, listen } from "./base/http/listening.ts";
import { createAreaLogs } from "./base/log.ts";
import { fill, openBus, openHomes, smsService } from "./configured.ts";
import type { LogArea } from "./base/log-levels.ts";
import { connectedOrigins } from "./base/http/security.ts";
import { createUpgradeRouter } from "./base/http/upgrade.ts";
import type { Bus, Clock, Directory, ServerDeps, ServerModule } from "./base/module.ts";
import { createImModule } from "./modules/im/index.ts";
import { createImportsModule } from "./modules/imports/index.ts";
import { STANDALONE } from "./modules/standalone.generated.ts";
import { createMediaNodes } from "./modules/media-node/index.ts";
import { createOpenApiModule } from "./modules/openapi/index.ts";
import { createOnlineModule } from "./modules/online/index.ts";
import { createCompaniesModule } from "./modules/companies/index.ts";
import { createOpsModule } from "./modules/ops/index.ts";
import { createMarks } from "./base/cluster/trust.ts";
import { createProfileModule } from "./modules/profile/index.ts";
import { createReset } from "./modules/registration/reset.ts";
import { createPushModule } from "./modules/push/index.ts";
import { createQualityModule } from "./modules/quality/index.ts";
import { createRbacModule } from "./modules/rbac/index.ts";
import { createLicences } from "./modules/registration/licences.ts";
import { createRegistrationModule } from "./modules/registration/index.ts";
import { createSmsCodes, createSmsModule, type SmsSink } from "./modules/sms/index.ts";
import { createMobileGone } from "./modules/sms/mobile-gone.ts";
import { createSmsOutbox } from "./modules/sms/outbox.ts";
import { createSmsOutboxModule } from "./modules/sms/outbox-module.ts";
import { createEmployeesModule } from "./modules/employees/index.ts";
import { createFactorCodes } from "./modules/two-factor/codes.ts";
import { createSecondFactor } from "./modules/two-factor/factor.ts";
import { createTasks } from "./base/tasks/index.ts";
import { createTasksModule } from "./modules/tasks/index.ts";
import { createTwoFactorModule } from "./modules/two-factor/index.ts";
import { createSearchIndex } from "./modules/employees/search-index.ts";

export interface PlatformOptions {
  readonly config: ServerConfig;
  /** The whole log. Each part of the platform writes to the log of its area. */
  readonly log: Logger;
  readonly clock?: Clock;
  /** Folder of the built console. */
  readonly dist?: string;
  /** Handles requests that no route takes (vite in development). Requests that it passes on return to the platform. */
  readonly middleware?: Middleware;
  /** For tests: an open database, which the caller closes, and hashes of passwords that cost little. */
  readonly database?: Database;
  readonly passwords?: Passwords;
  /** Sends SMS codes. Left out: the configured service, and on a database with demo data without one the page 短信验证码. */
  readonly sms?: SmsSink;
  /** Called when the platform cannot continue because its embedded database ended. */
  readonly onLost?: (error: Error) => void;
}

export interface Platform {
  /** The platform handles its WebSocket upgrades, except vite's subprotocols when there is a middleware. */
  readonly server: Server;
  readonly directory: Directory;
  readonly database: Database;
  readonly metrics: Registry;
  /** Whether the database is one with demo data: the embedded one, unless DEMO_DATA says otherwise. */
  readonly demo: boolean;
  /** Port of OPS_LISTEN once it listens; null without OPS_LISTEN. */
  readonly opsPort: number | null;
  /** @returns the port; for 0, the free port that was chosen */
  listen(port: number, host?: string): Promise<number>;
  /** Idempotent. Refuses new work, stops the modules, waits up to 5 s for running requests, closes the database. */
  close(): Promise<void>;
}

/** @throws Error when the database cannot be opened or a module does not start; everything opened so far is closed */
export async function createPlatform(options: PlatformOptions): Promise<Platform> {
  const { config, clock = systemClock, passwords = createPasswords() } = options;
  const logOf = createAreaLogs(options.log, config.LOG_LEVELS);
  const log = logOf("server");
  const lost = (error: Error): void => {
    logOf("database").error({ err: error }, "database connection lost");
    if (config.DATABASE_URL === undefined) options.onLost?.(error);
  };
  const database = options.database ?? (await openDatabase(config, lost));
  const started: ServerModule[] = [];
  let bus: Bus | null = null;
  const stopModules = async (): Promise<void> => {
    for (const module of started.splice(0).toReversed()) {
      try {
        await module.stop?.();
      } catch (error) {
        log.error({ err: error, module: module.name }, "a module did not stop properly");
      }
    }
  };
  const closeData = async (): Promise<void> => {
    await bus?.close();
    if (options.database === undefined) await database.close();
  };

  try {
    const own = createOwnMessages(await openBus(config, logOf("cluster")));
    bus = own.bus;
    const demo = await fill(config, database, logOf("database"), clock, passwords);
    const metrics = new Registry();
    collectDefaultMetrics({ register: metrics });
    const base = {
      config,
      db: database.db,
      tenants: createTenants(database.pool),
      clock,
      metrics,
      bus: own.bus,
      tasks: createTasks({ db: database.db, clock, log }),
    };
    const secondFactor = createSecondFactor({
      ...base,
      codes: createFactorCodes(config.APP_SECRET),
    });
    const accounts = createAccounts({ ...base, log: logOf("accounts"), secondFactor, passwords });
    const { access, directory } = accounts;
    /** What a module of this area gets. */
    const depsOf = (area: LogArea): ServerDeps => ({ ...base, directory, log: logOf(area) });
    const deps = depsOf("server");
    const service = options.sms ?? smsService(config);
    const outbox =
      service === null && demo
        ? createSmsOutbox({
            clock,
            bus: own.bus,
            log: logOf("sms"),
            template: config.SMS_TEMPLATE,
            inviteTemplate: config.SMS_INVITE_TEMPLATE,
          })
        : null;
    const sms = service ?? outbox;
    const codes = createSmsCodes(deps, sms);
    const inviteSink = sms?.invite === undefined ? null : { invite: sms.invite };
    const credentials = createCredentials(config.APP_SECRET, clock);
    const nodes = createMediaNodes(depsOf("media"));
    const requests = createRequestsInFlight();
    const search = createSearchIndex({ ...depsOf("employees"), ...requests });
    const registration = {
      ...depsOf("accounts"),
      codes,
      passwords,
      endLogins: access.endLogins,
      licences: createLicences(depsOf("accounts")),
      warnMobileGone: createMobileGone(sms, logOf("sms")),
    };
    const reset = createReset(registration);
    const chat = createChatModule(depsOf("chat"), own);
    const alertSending = createAlertSending({ ...depsOf("server"), voice: chat.voice });
    const modules: ServerModule[] = [
      // What needs something of another module, or must come before or after one. The others are STANDALONE.
      // Modules stop in reverse order. The media nodes come first here so that they stop last, after the conferences have
      // released their connections.
      {
        name: "media-node",
        stop: async () => void (await Promise.all(nodes.map((node) => node.close()))),
      },
      createDataChangesModule(deps),
      createOpsModule(depsOf("operations")),
      accounts.module,
      createRbacModule({ ...depsOf("accounts"), access, accounts: accounts.store }),
      createEmployeesModule({
        ...depsOf("employees"),
        access,
        codes,
        hash: passwords.hash,
        inviteSink,
        checkCredentials: accounts.checkCredentials,
      }),
      createImportsModule({ ...depsOf("imports"), search, own, requests }),
      { name: "search-index", start: async () => search.start(), stop: () => search.stop() },
      ...STANDALONE.map(({ area, create }) => create(depsOf(area))),
      // Before the chat, whose calls take every other path under /{org}/{app}.
      createSignallingModule(depsOf("signalling"), {
        nodes,
        homes: openHomes(config, database, clock, logOf("cluster")),
        blocks: chat.contacts.blocks,
        chatLogin: (token) =>
          credentials.check(token).then((checked) => (checked.ok ? checked.identity : null)),
      }),
      chat,
      createAlertChannelsModule(depsOf("server"), alertSending),
      createPushModule(depsOf("chat"), chat.calls),
      createQualityModule(depsOf("quality")),
      createFilesModule(depsOf("files")),
      createImModule(depsOf("chat"), chat),
      createSmsModule(codes),
      createSmsOutboxModule(depsOf("sms"), outbox),
      createRegistrationModule(registration, reset),
      createProfileModule({
        ...depsOf("accounts"),
        access,
        reset,
        codes,
        checkOwnPassword: reset.checkOwn,
      }),
      createTwoFactorModule({
        ...depsOf("accounts"),
        factor: secondFactor,
        checkOwnPassword: reset.checkOwn,
      }),
      createCompaniesModule({ ...depsOf("accounts"), access }),
      createOnlineModule({ ...depsOf("accounts"), access }),
      createOpenApiModule(),
      createAlertsModule(depsOf("server"), { nodes, sending: alertSending }),
      // Last, when every module has added its tasks, so that it stops first.
      createTasksModule(deps),
    ];
    const clients = createClients(config.TRUSTED_PROXIES);
    const app = createHttpApp(
      {
        log: logOf("http"),
        metrics,
        clients,
        dist: options.dist,
        basePath: config.BASE_PATH,
        connect: connectedOrigins(config),
        origins: config.ALLOWED_ORIGINS,
        bodyLimits: modules.flatMap(({ bodyLimits = [] }) => bodyLimits),
        requests,
      },
      modules.flatMap((module) => (module.routes === undefined ? [] : [module.routes])),
    );
    const operations = modules.flatMap(({ operations: add }) => (add === undefined ? [] : [add]));
    const { OPS_LISTEN: opsAddress, OPS_TOKEN: token } = config;
    const opsServer =
      opsAddress === undefined ? null : createOperationsServer(operations, { token, clients });
    if (opsServer === null) addOperations(app, operations, token);
    const limits = {
      ...CONNECTION_LIMITS,
      total: config.MAX_CONNECTIONS,
      perAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
    };
    const server = createAppServer(app, {
      limits,
      basePath: config.BASE_PATH,
      middleware: options.middleware,
    });
    const connections = guardConnections(server, limits, { clients, metrics });
    const upgrades = createUpgradeRouter(
      server,
      modules.flatMap((module) => module.sockets ?? []),
      {
        log: logOf("http"),
        metrics,
        clock,
        clients,
        basePath: config.BASE_PATH,
        origins: config.ALLOWED_ORIGINS,
        onKnown: connections.release,
        marks: createMarks(config.APP_SECRET, clock),
        leave: (request) =>
          options.middleware !== undefined &&
          (request.headers["sec-websocket-protocol"] ?? "").startsWith("vite-"),
      },
    );
    for (const module of modules) {
      started.push(module);
      await module.start?.();
    }
    let closing: Promise<void> | null = null;
    let opsPort: number | null = null;
    return {
      server,
      directory: accounts.directory,
      database,
      metrics,
      demo,
      async listen(port, host = config.HOST) {
        if (opsServer !== null && opsAddress !== undefined) {
          opsPort = await listen(opsServer, opsAddress.port, opsAddress.host);
        }
        return listen(server, port, host);
      },
      get opsPort() {
        return opsPort;
      },
      close() {
        closing ??= (async () => {
          opsServer?.closeAllConnections();
          opsServer?.close();
          const drained = drain(server, clock);
          await stopModules();
          upgrades.close();
          await drained;
          await closeData();
        })();
        return closing;
      },
    };
  } catch (error) {
    await stopModules();
    await closeData();
    throw error;
  }
}
