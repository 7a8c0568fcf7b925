/**
 * The interfaces through which the modules of the core use each other. Each module exports one `createX(deps)` factory.
 * In the console core.ts creates the modules that every core has, and modules.ts those that only the core with the sockets lock may
 * run. library.ts creates the few that the conferencing library needs. entry.ts and library-entry.ts pass in the browser's
 * implementations: clock, locks, sockets, storage and random numbers are arguments, so every module also runs in Node with fakes.
 */
import type { AddressRewrites } from "../../shared/domain/address-rewrites.ts";
import type { z } from "../../shared/zod.ts";
import type { SocketLoss } from "../../shared/domain/socket-losses.ts";
import type { AppError, ErrorCode } from "../../shared/errors.ts";
import type { CallAction, CallMessage } from "../../shared/protocol/call-message.ts";
import type { CallSignal } from "../../shared/protocol/call-signal.ts";
import type { ConsoleConfig, SystemName } from "../../shared/protocol/config.ts";
import type { MediaCommand, MediaEvent } from "../../shared/protocol/media-port.ts";
import type { RestCall } from "../../shared/protocol/rest/index.ts";
import type { ConnectionState, SliceName, Slices } from "../../shared/protocol/state.ts";
import type { Claim } from "../../shared/protocol/tab-port.ts";
import type { Log } from "./log.ts";

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
  /** Whether any context holds the lock now. */
  held(name: string): Promise<boolean>;
}

/** idb-keyval's shape, injected. Values must be cloneable. */
export interface Kv {
  /** Undefined: nothing is stored. Rejects when the storage cannot be read, which says nothing about what is stored. */
  get<T>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown): Promise<void>;
  del(key: string): Promise<void>;
}

/** The browser's socket, or a fake. */
export interface SocketLike {
  readonly readyState: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
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

/** What the quality record says about the machine; texts are empty where the browser does not reveal them. */
export interface Device {
  /** The browser, e.g. "Google Chrome 140". */
  readonly browser: string;
  /** The operating system, e.g. "Windows 15.0.0". */
  readonly os: string;
  /** Reads the current network type, e.g. "4g". */
  readonly network: () => string;
  /** The browser as the platform's SDK names it. Without a version when the browser is none of those that it knows. */
  readonly terminal: {
    readonly browser: string;
    readonly browserVersion?: number;
    readonly userAgent: string;
  };
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
  /** Address of the console: origin and base path, without a slash at its end, like https://example.org/console */
  readonly home: string;
  readonly config: ConsoleConfig;
  /** Addresses that the deployment names in place of the server's own. Absent: none. */
  readonly rewrites?: () => AddressRewrites;
  readonly log: Log;
}

type Key = string | number;

/** The only writer of mirrored state. `get` returns live objects: treat them as read-only and change them only by set and del. */
export interface Store {
  get<S extends SliceName>(slice: S): Readonly<Slices[S]>;
  set(path: readonly [SliceName, ...Key[]], value: unknown): void;
  del(path: readonly [SliceName, Key, ...Key[]]): void;
  /** Sends the pending ops of all slices now, for changes that must not wait until those of their slice are merged. */
  flush(): void;
  /** Shows a notice in each visible tab. Without one it waits for a minute for the next tab that becomes visible. `id` is added. */
  notice(
    notice: Omit<z.input<typeof import("../../shared/protocol/state.ts").noticeSchema>, "id">,
  ): void;
}

export interface MediaPort {
  send(command: MediaCommand): void;
  /** Passes on valid events only; invalid ones are reported and dropped. */
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
  media(tabId: string): MediaPort | null;
  /** `claim`: the media that the tab says it holds, see tab-port. */
  onJoin(handler: (tab: TabInfo, claim: Claim | null) => void): () => void;
  /** Called when the tab's lock is free, so that the tab is certainly gone. */
  onLeave(handler: (tabId: string) => void): () => void;
}

/** Options of a REST call besides its input. */
export interface CallOptions {
  /** The client whose credentials are used, for calls with basic auth. */
  readonly systemName?: SystemName;
  /** Replaces the session's company. null leaves the header out, for calls that find out which companies exist. */
  readonly supplierId?: string | null;
  /** Used instead of the session's token, without a retry after 401. */
  readonly token?: string;
  /** ms, where the general request timeout does not fit; 0: none, the caller watches it. */
  readonly timeout?: number;
  /** The packed body of a gzip call; only the server checks its schema. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** The files of a multipart call. */
  readonly form?: FormData;
  /** Called while the body is sent, with bytes. */
  readonly onSent?: (loaded: number, total: number) => void;
  /** Called while a file is received, with bytes; the total of this answer is null where it does not say it. */
  readonly onReceived?: (loaded: number, total: number | null) => void;
  /** Ends the request, which rejects with request.cancelled. */
  readonly signal?: AbortSignal;
}

export interface Http {
  /** Makes one call of the REST table. Resolves to `data`, throws AppError. Adds the headers of docs/session.md#requests. */
  call<C extends RestCall>(
    call: C,
    input?: {
      params?: z.input<C["params"]>;
      query?: z.input<C["query"]>;
      body?: z.input<C["body"]>;
    },
    options?: CallOptions,
  ): Promise<z.output<C["data"]>>;
  /** The headers of docs/session.md#requests, for requests that a package sends by itself. */
  headers(options?: Pick<CallOptions, "supplierId">): Promise<Record<string, string>>;
  /** Makes a provider's call, which has no envelope. The answer is checked against `schema`. */
  provider<S extends z.ZodType>(
    request: {
      method: "GET" | "POST" | "DELETE";
      path: string;
      query?: Record<string, string>;
      body?: unknown;
      /** The body authorises the call by itself, so it goes without the login. */
      withoutLogin?: boolean;
      /** The body, an object, gets the token as well: platforms may read it there alone. */
      tokenInBody?: boolean;
    },
    schema: S,
  ): Promise<z.output<S>>;
}

interface FileInput<C extends RestCall> {
  params?: z.input<C["params"]> | undefined;
  query?: z.input<C["query"]> | undefined;
  body?: z.input<C["body"]> | undefined;
}
/** A piece of a file. */
export interface FilePart {
  readonly blob: Blob;
  /** Bytes of the whole file. */
  readonly size: number;
  /** The server knows no ranges: this is the whole file. */
  readonly whole: boolean;
}

/** Calls that answer a file. */
export interface FileHttp {
  file<C extends RestCall>(call: C, input: FileInput<C>, options?: CallOptions): Promise<Blob>;
  /** Up to `bytes` of a file, from the byte `from` on; less at its end. `onReceived` counts the bytes of the piece. */
  part<C extends RestCall>(
    call: C,
    input: FileInput<C>,
    range: { readonly from: number; readonly bytes: number },
    options?: CallOptions,
  ): Promise<FilePart>;
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
  /** A valid token, refreshed first when needed (one refresh at a time). @throws AppError auth.required */
  accessToken(): Promise<string>;
  /** Called with null after a logout, and with the user after the info was loaded and after a company switch. */
  onUser(handler: (user: SessionUser | null) => void): () => void;
}

/** What calls and group calls need of chat. */
export interface ChatCommands {
  /** Own chat user name, null when chat has no login. */
  me(): string | null;
  /** Stable id of this device (the core's chat resource). */
  device(): string;
  /** Sends a command message to online devices only; rejects with AppError chat.not-allowed when the
   * server refuses because the two may not write to each other, else with chat.send-failed. */
  send(to: string, action: CallAction, ext: CallMessage): Promise<void>;
  /** Passes on valid call messages of other people; those of this person's other devices are left out. */
  onMessage(handler: (message: CallMessage, from: string) => void): () => void;
  /** The display name of a chat user if known, else the user name. */
  nameOf(userName: string): string;
  /** The remark on a chat user, else the display name; null when neither is known. For notices alone. */
  shownName(userName: string): string | null;
  /** The display name, asked of the server when no list has brought it; null when it cannot be found. */
  findName(userName: string): Promise<string | null>;
}

/** The chat connection as what carries the signalling of calls (docs/calls.md#signalling-over-chat). */
export interface ChatSignals {
  /** Whether a signal can be sent now. */
  open(): boolean;
  /** Called when the connection opens, and when it is lost. @returns a function that removes the handler */
  onOpen(handler: (open: boolean) => void): () => void;
  /** Sends to the connected devices of `signal.toUser` only; rejects with AppError chat.send-failed. */
  send(signal: CallSignal): Promise<void>;
  /** Passes on valid signals of other people that are for this device. */
  onSignal(handler: (signal: CallSignal) => void): () => void;
}

/** Whether the platform can be reached. */
export interface Reach {
  /** Reports a failure that may mean an outage; the server is then probed. */
  suspect(): void;
  /** Reports that the server answered. */
  answered(): void;
  /** Called at the end of an outage. @returns a function that removes the handler */
  onBack(handler: () => void): () => void;
  /** The machine's network; also reports "online" at the end of an outage, so that what waits continues at once. */
  readonly online: Online;
}

/** Counters behind the worker slice. */
export interface Stats {
  /** @param lost why the connection was lost; left out: it was not, or nobody knows */
  socket(
    name: "chat" | "signalling" | "quality",
    state: ConnectionState,
    attempts?: number,
    lost?: SocketLoss,
  ): void;
  socketTraffic(name: "chat" | "signalling" | "quality", direction: "sent" | "received"): void;
  /** @param failure code of the error with which the command ended; left out: it succeeded */
  command(name: string, ms: number, failure?: ErrorCode): void;
  /** Another tab became the owner of the media of a call or conference. */
  takeover?(): void;
  fanOut(ms: number): void;
  opsOut(count: number): void;
  refreshed(): void;
  error(error: AppError | Error | string): void;
}

export type { CallAction, CallMessage, Claim, ConnectionState };
