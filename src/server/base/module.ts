/**
 * The interface between the server's modules and the composition root (platform.ts).
 *
 * A module gets what another module holds at run time (its state, its sockets) as an argument: in `ServerDeps`, or from platform.ts.
 * Pure rules, types and stores of another module it imports from that module's folder, and helpers from src/server/base.
 */
import type { Hono } from "hono";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import type { RestCall } from "../../shared/protocol/rest/call.ts";
import type { AccessEnd } from "./cluster/access.ts";
import type { ServerConfig } from "./config.ts";
import type { LogArea } from "./log-levels.ts";
import type { Tenants } from "./database/tenant.ts";
import type { Client } from "./http/client.ts";
import type { Tasks } from "./tasks/contracts.ts";

/** A role that an account holds in a company. */
export interface Grant {
  readonly supplierId: string;
  readonly roleId: string;
  readonly roleCode: string;
  readonly permissions: readonly string[];
}

/** The authenticated caller, after the bearer token and the supplier-id header were checked. */
export interface Principal {
  readonly accountId: string;
  readonly username: string;
  /** The login of the token. `Directory.onSessionEnd` says what ends it. */
  readonly sessionId: string;
  /** Companies of which the account is a member. */
  readonly supplierIds: readonly string[];
  /** From the supplier-id header, checked against the memberships; null when the header is absent. */
  readonly supplierId: string | null;
  /** Roles that are in effect, in all companies of the account, with their permissions. */
  readonly grants: readonly Grant[];
  /** Permissions in the company of the supplier-id header. Empty without the header. */
  readonly permissions: readonly string[];
  /** Chat user name of the account. */
  readonly chatUserName: string;
}

export interface HttpEnv {
  Variables: {
    principal: Principal;
    /** The call with a bearer token that the request makes. */
    call: RestCall | undefined;
    /** The one record that the call shows or changes, as `tag:id`; null: any number of them. */
    record: string | null;
    requestId: string;
    log: Logger;
    client: Client;
    /** CSP sources for the inline styles of the page that is sent. */
    styleHashes: readonly string[] | undefined;
  };
}

/** The client of a websocket. */
export interface SocketClient {
  readonly address: string;
  /**
   * Called when the module knows the account behind the socket. From then on the socket counts towards the limit of this
   * account instead of its address. Later calls have no effect.
   *
   * @param userName chat user name of the account
   * @returns false when the account has too many sockets; the module must then close the socket
   */
  identify(userName: string): boolean;
}

/** A websocket path of a module. */
export interface SocketRoute {
  readonly path: string;
  /** Largest frame in bytes. */
  readonly maxPayload: number;
  /** Base URL of the server process that must handle this socket; null for this process. */
  readonly elsewhere?: (url: URL) => Promise<string | null>;
  /**
   * Called after the upgrade was accepted. The module authenticates the client, by the first frame or by the query, and then
   * calls `client.identify`.
   */
  accept(socket: WebSocket, request: IncomingMessage, url: URL, client: SocketClient): void;
}

/** The largest request body of a path. */
export interface BodyLimit {
  readonly method: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

export interface ServerModule {
  readonly name: string;
  readonly routes?: (app: Hono<HttpEnv>) => void;
  /** Body limits of paths that no call of `restCalls` declares. */
  readonly bodyLimits?: readonly BodyLimit[];
  /** Routes for operators only. OPS_LISTEN sets where they are served, OPS_TOKEN who may use them. */
  readonly operations?: (app: Hono<HttpEnv>) => void;
  readonly sockets?: readonly SocketRoute[];
  /** Runs after migrations and seed, before the server listens. */
  readonly start?: () => Promise<void>;
  /** Idempotent. Closes sockets with WS_CLOSE.shutdown and flushes buffered data. */
  readonly stop?: () => Promise<void>;
}

/** Messages between server processes: over Redis with REDIS_URL, otherwise an emitter within the process. */
export interface Bus {
  publish(topic: string, message: unknown): Promise<void>;
  /** @returns a function that ends the subscription */
  subscribe(topic: string, handler: (message: unknown) => void): () => void;
  /** Whether what carries the messages between processes is there. Left out: there is one process. */
  reach?(): "up" | "away";
  close(): Promise<void>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  setTimeout(run: () => void, ms: number): { cancel(): void };
}

/** What other modules may ask of accounts and suppliers. */
export interface Directory {
  /**
   * Checks signature, expiry and session of an access token.
   *
   * @throws AppError auth.expired, auth.required
   */
  authenticate(token: string): Promise<Principal>;
  /**
   * The person of a login that is still valid, for credentials that name the login: chat tokens and role tokens.
   *
   * @returns null when the login has ended or expired
   */
  principalOf(sessionId: string): Promise<Principal | null>;
  /** The person with this chat user name; null when unknown. */
  personByChatName(
    userName: string,
  ): Promise<{ accountId: string; userName: string; name: string; avatar: string } | null>;
  /** Whether two people may chat with and call each other: they share a company, or both have added each other as friends. */
  mayTalk(userA: string, userB: string): Promise<boolean>;
  /** Chat user names of everyone who shares a company with this user, without the user. */
  colleagues(userName: string): Promise<string[]>;
  /**
   * Whether a login is still valid: not ended, not expired, and its account not disabled. For credentials that live longer than
   * an access token, such as tickets.
   */
  sessionAlive(sessionId: string): Promise<boolean>;
  /**
   * Runs when a person loses access. The handler ends what the person has open (docs/server.md#end-of-access).
   *
   * @param open the logins for which this module holds something open here: when messages between the processes were lost, those that
   *   have ended meanwhile are looked for among them
   */
  onAccessEnd(handler: (end: AccessEnd) => void, open?: () => Iterable<string>): () => void;
}

export interface ServerDeps {
  readonly config: ServerConfig;
  /** For data that belong to no company. Company data are accessed through `tenants`. */
  readonly db: NodePgDatabase;
  readonly tenants: Tenants;
  /** The log of the module's area. */
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Registry;
  readonly bus: Bus;
  readonly directory: Directory;
  /** Where modules add what is to be run at intervals. */
  readonly tasks: Tasks;
}

/**
 * A module that uses no other module, and that no other module uses. The platform finds it by its folder (docs/adding.md#registries):
 * `export const standalone` in its index.
 */
export interface StandaloneModule {
  /** The area of its log. */
  readonly area: LogArea;
  create(deps: ServerDeps): ServerModule;
}

export type CreateModule = (deps: ServerDeps) => ServerModule;
