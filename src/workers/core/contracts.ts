/**
 * The interfaces through which the modules of the core use each other. Each module exports one `createX(deps)` factory.
 * core.ts creates the modules that every core has; rooms.ts creates those that only the core holding the sockets lock may run.
 * entry.ts (the console) and library-entry.ts (the embedded library) pass in the browser's implementations. Clock, locks,
 * sockets, storage and randomness are injected, so that every module also runs in Node with fakes.
 */
import type { z } from "../../shared/zod.ts";
import type { AppError } from "../../shared/errors.ts";
import type { CallAction, CallMessage } from "../../shared/protocol/call-message.ts";
import type { ConsoleConfig, SystemName } from "../../shared/protocol/config.ts";
import type { MediaCommand, MediaEvent } from "../../shared/protocol/media-port.ts";
import type { RestCall } from "../../shared/protocol/rest/index.ts";
import type { ConnectionState, Notice, SliceName, Slices } from "../../shared/protocol/state.ts";
import type { Claim } from "../../shared/protocol/tab-port.ts";

export interface Timer {
  cancel(): void;
}
export interface Clock {
  /** ms since the epoch, the wall clock */
  now(): number;
  /** Runs once when `now()` has passed now + ms. */
  after(ms: number, run: () => void): Timer;
}

export interface Locks {
  /** Resolves once the lock is held; `release` gives it back. `signal` ends the wait. */
  acquire(name: string, signal?: AbortSignal): Promise<{ release(): void }>;
  /** Whether anyone holds it now. */
  held(name: string): Promise<boolean>;
}

/** idb-keyval's shape, injected. Values must be cloneable. */
export interface Kv {
  get<T>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown): Promise<void>;
  del(key: string): Promise<void>;
}

/** The browser's socket, or a fake. */
export interface SocketLike {
  readonly readyState: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: (() => void) | null;
}
export type OpenSocket = (url: string) => SocketLike;

/** Network state of the machine. */
export interface Online {
  readonly online: boolean;
  onChange(handler: (online: boolean) => void): () => void;
}

/** What the quality record says of the machine; texts may be empty where the browser keeps them to itself. */
export interface Device {
  /** The browser, e.g. "Google Chrome 140". */
  readonly browser: string;
  /** The operating system, e.g. "Windows 15.0.0". */
  readonly os: string;
  /** Asked anew each time, e.g. "4g". */
  readonly network: () => string;
}

export interface CoreEnv {
  readonly clock: Clock;
  readonly locks: Locks;
  readonly kv: Kv;
  readonly openSocket: OpenSocket;
  readonly online: Online;
  readonly device: Device;
  /** 0..1 */
  readonly random: () => number;
  readonly newId: () => string;
  readonly build: string;
  readonly coreId: string;
  /** Page origin, e.g. http://localhost:8080 */
  readonly origin: string;
  readonly config: ConsoleConfig;
  /** Shown on the operations page; never a secret. */
  readonly report: (message: string) => void;
}

type Key = string | number;

/** The one writer of mirrored state. Reads are live objects: treat them as read-only and change them by set and del alone. */
export interface Store {
  get<S extends SliceName>(slice: S): Readonly<Slices[S]>;
  set(path: readonly [SliceName, ...Key[]], value: unknown): void;
  del(path: readonly [SliceName, Key, ...Key[]]): void;
  /** Sends what is pending now: call events do not wait for the coalescing of their slice. */
  flush(): void;
  /** Shown once in visible tabs. `id` is added. */
  notice(
    notice: Omit<z.input<typeof import("../../shared/protocol/state.ts").noticeSchema>, "id">,
  ): void;
}

export interface MediaLink {
  send(command: MediaCommand): void;
  /** Valid events only; others are reported and dropped. */
  onEvent(handler: (event: MediaEvent) => void): () => void;
}

export interface TabInfo {
  readonly tabId: string;
  readonly visible: boolean;
  readonly focusedAt: number;
  readonly connectedAt: number;
}
export interface Tabs {
  list(): readonly TabInfo[];
  /** The visible, most recently focused tab; else the most recently focused one; null when there is none. */
  best(except?: string): TabInfo | null;
  media(tabId: string): MediaLink | null;
  /** `claim`: what the tab says it carries, see tab-port. */
  onJoin(handler: (tab: TabInfo, claim: Claim | null) => void): () => void;
  /** The tab is gone for sure: its lock is free. */
  onLeave(handler: (tabId: string) => void): () => void;
}

/** What a call may want beside its input. */
export interface CallOptions {
  /** Which client's credentials, for calls with basic auth. */
  readonly systemName?: SystemName;
  /** Instead of the session's company; null leaves the header out, for calls that find out which companies there are. */
  readonly supplierId?: string | null;
  /** This token instead of the session's own, and no second try. */
  readonly token?: string;
  /** ms, when shorter than the limit of every request. */
  readonly timeout?: number;
  /** The body of a gzip call as it was packed; its schema is looked at by the server alone. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

export interface Http {
  /** One call of the table; resolves to `data`, throws AppError. Adds bearer, system name, supplier-id, menu-id headers. */
  call<C extends RestCall>(
    call: C,
    input?: {
      params?: z.input<C["params"]>;
      query?: z.input<C["query"]>;
      body?: z.input<C["body"]>;
    },
    options?: CallOptions,
  ): Promise<z.output<C["data"]>>;
  /** A provider's call without the envelope; the answer is checked against `schema`. */
  provider<S extends z.ZodType>(
    request: {
      method: "GET" | "POST" | "DELETE";
      path: string;
      query?: Record<string, string>;
      body?: unknown;
    },
    schema: S,
  ): Promise<z.output<S>>;
}

export interface SessionUser {
  readonly accountId: string;
  readonly username: string;
  readonly name: string;
  readonly supplierId: string | null;
}
export interface Session {
  /** null when nobody is logged in. */
  user(): SessionUser | null;
  /** A token that is still good, refreshed first when needed (single flight). Throws AppError auth.required. */
  accessToken(): Promise<string>;
  /** null: logged out. Fires after info was loaded, and again on a company switch. */
  onUser(handler: (user: SessionUser | null) => void): () => void;
}

/** What the calls room needs of chat. */
export interface ChatCommands {
  /** Own chat user name, null when chat has no login. */
  me(): string | null;
  /** Stable id of this device (the core's chat resource). */
  device(): string;
  /** Sends a command message to online devices only; rejects with AppError chat.send-failed. */
  send(to: string, action: CallAction, ext: CallMessage): Promise<void>;
  /** Valid call messages from others, and those of this person's other devices are left out. */
  onMessage(handler: (message: CallMessage, from: string) => void): () => void;
  /** Display name known for a chat user, else the user name. */
  nameOf(userName: string): string;
}

/** Whether the platform can be reached. */
export interface Reach {
  /** Something failed as it does in an outage: the server is asked for a sign of life. */
  suspect(): void;
  /** The server has answered. */
  answered(): void;
  /** An outage is over. @returns what ends the listening */
  onBack(handler: () => void): () => void;
}

/** Counters behind the worker slice. */
export interface Stats {
  socket(name: "chat" | "signalling" | "quality", state: ConnectionState, attempts?: number): void;
  socketTraffic(name: "chat" | "signalling" | "quality", direction: "sent" | "received"): void;
  command(name: string, ms: number): void;
  fanOut(ms: number): void;
  opsOut(count: number): void;
  refreshed(): void;
  error(error: AppError | Error | string): void;
}

export type { CallAction, CallMessage, Claim, ConnectionState, Notice };
