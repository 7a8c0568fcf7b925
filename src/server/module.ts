/**
 * What a folder of the server offers to the composition root (platform.ts), and what it gets from it.
 * Modules know each other only by the ports named here; they import shared and their own folder, and db/.
 */
import type { Hono } from "hono";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import type { ServerConfig } from "./config.ts";
import type { Tenants } from "./db/tenant.ts";
import type { Client } from "./http/client.ts";

/** A role that an account holds in a company. */
export interface Grant {
  readonly supplierId: string;
  readonly roleId: string;
  readonly roleCode: string;
  readonly permissions: readonly string[];
}

/** Who asks, after the bearer token and the supplier-id header were checked. */
export interface Principal {
  readonly accountId: string;
  readonly username: string;
  /** Session of the token: logout and reuse detection end it. */
  readonly sessionId: string;
  /** Companies the account is a member of. */
  readonly supplierIds: readonly string[];
  /** From the supplier-id header, checked against the memberships; null when the header is absent. */
  readonly supplierId: string | null;
  /** Roles that count, in all companies of the account, with their permissions. */
  readonly grants: readonly Grant[];
  /** Permissions held in the company of the header; none without it. */
  readonly permissions: readonly string[];
  /** Chat user name of the account. */
  readonly chatUserName: string;
}

export interface HttpEnv {
  Variables: {
    principal: Principal;
    requestId: string;
    log: Logger;
    client: Client;
    /** Sources for the inline styles of the page that is sent, for its content policy. */
    styleHashes: readonly string[] | undefined;
  };
}

/** The client of a websocket. */
export interface SocketClient {
  readonly address: string;
  /**
   * The module knows now who speaks: from here on the socket counts for this account instead of its address. Later calls change
   * nothing.
   *
   * @param userName chat user name of the account
   * @returns false when the account has too many sockets; the module closes it then
   */
  identify(userName: string): boolean;
}

/** A websocket path of a module. */
export interface SocketRoute {
  readonly path: string;
  /** Largest frame, bytes. */
  readonly maxPayload: number;
  /** Base URL of the server process that has to take this one; null: this process. */
  readonly elsewhere?: (url: URL) => Promise<string | null>;
  /**
   * Called once the upgrade was accepted. Authentication is the module's own: by first frame or by query. It calls
   * `client.identify` when it knows whose socket this is.
   */
  accept(socket: WebSocket, request: IncomingMessage, url: URL, client: SocketClient): void;
}

export interface ServerModule {
  readonly name: string;
  readonly routes?: (app: Hono<HttpEnv>) => void;
  /** Routes that only operations need; OPS_LISTEN and OPS_TOKEN say where they are and who may. */
  readonly operations?: (app: Hono<HttpEnv>) => void;
  readonly sockets?: readonly SocketRoute[];
  /** After migrations and seed, before listening. */
  readonly start?: () => Promise<void>;
  /** Idempotent. Closes sockets with WS_CLOSE.shutdown, flushes what is buffered. */
  readonly stop?: () => Promise<void>;
}

/** Between server processes; in one process an emitter, with REDIS_URL Redis (issue 3). */
export interface Bus {
  publish(topic: string, message: unknown): Promise<void>;
  /** @returns stops listening */
  subscribe(topic: string, handler: (message: unknown) => void): () => void;
  close(): Promise<void>;
}

export interface Clock {
  /** ms since the epoch */
  now(): number;
  setTimeout(run: () => void, ms: number): { cancel(): void };
}

/** What other modules may ask of accounts and suppliers. */
export interface Directory {
  /** Checks an access token (signature, expiry, session alive). Throws AppError auth.expired / auth.required. */
  authenticate(token: string): Promise<Principal>;
  /** Display name by chat user name, null when unknown. */
  personByChatName(
    userName: string,
  ): Promise<{ accountId: string; userName: string; name: string; avatar: string } | null>;
  /** Whether the two may chat and call: they share a company (or are friends, once friends exist). */
  mayTalk(userA: string, userB: string): Promise<boolean>;
  /** Chat user names that share a company with this one, itself left out. */
  colleagues(userName: string): Promise<string[]>;
  /**
   * Whether a login goes on: not ended, not over its time, its account not switched off. For what outlives an access token, such
   * as tickets.
   */
  sessionAlive(sessionId: string): Promise<boolean>;
  /** Runs when a session ends (logout, reuse detected), so that sockets of it can be closed. */
  onSessionEnd(handler: (session: { sessionId: string; accountId: string }) => void): () => void;
}

export interface ServerDeps {
  readonly config: ServerConfig;
  /** For what belongs to no company; company data are reached through `tenants`. */
  readonly db: NodePgDatabase;
  readonly tenants: Tenants;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Registry;
  readonly bus: Bus;
  readonly directory: Directory;
}

export type CreateModule = (deps: ServerDeps) => ServerModule;
