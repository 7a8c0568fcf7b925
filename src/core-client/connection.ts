/**
 * Connects the tab to its core: lock, hello, welcome, and a new core when the old one dies. A core is dead when its Web Lock becomes
 * free. A tab that returns from the bfcache says hello again. Pending commands learn when their core is gone.
 */
import { wrap, type Remote } from "comlink";
import type { CoreFacade } from "../shared/protocol/core-rpc.ts";
import { AppError } from "../shared/errors.ts";
import { coreLock, PORT_PROTOCOL, tabLock } from "../shared/protocol/port-names.ts";
import type { Claim, Hello } from "../shared/protocol/tab-port.ts";
import type { CoreHost, HostFactory } from "./host.ts";
import type { CoreState } from "./contracts.ts";
import { readHelloAnswer } from "./received.ts";

/** ms that a core may take to answer a hello; it reads its configuration first. */
export const WELCOME_TIMEOUT = 15_000;
/** ms between attempts while no core answers; the last value repeats. */
const RETRY = [0, 500, 1_000, 2_000, 5_000];
/** Attempts without a welcome after which the person sees the failure; the attempts continue. */
const TRIES_BEFORE_FAILED = 3;

export interface Session {
  readonly rpc: Remote<CoreFacade>;
  /** Resolves when this connection will not answer any more. */
  readonly ended: Promise<void>;
}

export interface LockRequests {
  request(
    name: string,
    options: { signal?: AbortSignal },
    run: () => Promise<void> | void,
  ): Promise<unknown>;
}

export interface ConnectionDeps {
  readonly tabId: string;
  readonly build: string;
  readonly host: HostFactory;
  readonly locks: LockRequests;
  readonly coreState: CoreState;
  readonly presence: () => {
    visible: boolean;
    focusedAt: number;
    path: string;
    language?: string;
  };
  readonly claim: () => Claim | null;
  /** Called before each hello: the port brings a snapshot, then ops. */
  readonly onState: (port: MessagePort) => void;
  /** Called after each welcome. */
  readonly onMedia: (port: MessagePort) => void;
  /** A core did not start or did not accept this tab; another attempt follows. */
  readonly onNoCore?: () => void;
  /** Runs once after so many ms. */
  readonly after: (ms: number, run: () => void) => { cancel(): void };
}

export interface Connection {
  /** The current connection, or the next one. Rejects with AppError core.unsupported, or core.gone after dispose. */
  session(): Promise<Session>;
  /** After a return from the bfcache: says hello to the running core again. */
  again(): void;
  /** Does the next attempt now; nothing while a core answers or is asked. */
  retry(): void;
  dispose(): void;
}

interface Live extends Session {
  readonly ports: readonly MessagePort[];
  end(): void;
}

export function createConnection(deps: ConnectionDeps): Connection {
  const { coreState } = deps;
  const disposal = new AbortController();
  let releaseTabLock = (): void => {};
  let host: CoreHost | null = null;
  let live: Live | null = null;
  let timer: { cancel(): void } | null = null;
  let coreWait: AbortController | null = null;
  let tries = 0;
  let waiters: { resolve: (session: Session) => void; reject: (error: AppError) => void }[] = [];

  const retryLater = (): void => {
    timer?.cancel();
    if (disposal.signal.aborted) return;
    const delay = RETRY[Math.min(tries, RETRY.length - 1)] ?? 5_000;
    tries += 1;
    if (tries > TRIES_BEFORE_FAILED) coreState.state = "failed";
    timer = deps.after(delay, () => spawn());
  };
  const endLive = (): void => {
    live?.end();
    live = null;
    coreWait?.abort();
    coreWait = null;
  };
  const dropHost = (): void => {
    if (host === null) return;
    host.onError = null;
    host.port.onmessage = null;
    host.port.close();
    host = null;
  };
  const refused = (): void => {
    lost();
    if (!disposal.signal.aborted) deps.onNoCore?.();
  };
  const lost = (): void => {
    endLive();
    dropHost();
    if (disposal.signal.aborted) return;
    if (coreState.state === "ready") coreState.state = "respawning";
    retryLater();
  };

  /** Getting the core's lock means that the core is dead. */
  const watchCore = (coreId: string): void => {
    coreWait?.abort();
    const wait = new AbortController();
    coreWait = wait;
    deps.locks
      .request(coreLock(coreId), { signal: wait.signal }, () => {
        if (coreWait === wait) lost();
      })
      .catch(() => {});
  };

  const hello = (target: CoreHost): void => {
    const channels = [new MessageChannel(), new MessageChannel(), new MessageChannel()] as const;
    const ports = channels.map((channel) => channel.port1);
    const theirs = channels.map((channel) => channel.port2);
    const [rpc, state, media] = ports as [MessagePort, MessagePort, MessagePort];
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const next: Live = {
      // keep a reference: a garbage-collected Comlink proxy drops its open calls
      rpc: wrap<CoreFacade>(rpc),
      ended,
      ports,
      end() {
        end();
        for (const port of ports) port.close();
      },
    };
    timer?.cancel();
    timer = deps.after(WELCOME_TIMEOUT, () => {
      next.end();
      refused();
    });
    target.port.onmessage = (event) => {
      const answer = readHelloAnswer(event.data);
      if (host !== target) return;
      timer?.cancel();
      if (answer?.t !== "welcome") {
        next.end();
        return refused();
      }
      tries = 0;
      live = next;
      watchCore(answer.coreId);
      coreState.state = "ready";
      coreState.unreachable = false;
      deps.onMedia(media);
      const waiting = waiters;
      waiters = [];
      for (const waiter of waiting) waiter.resolve(next);
    };
    const message: Hello = {
      t: "hello",
      protocol: PORT_PROTOCOL,
      build: deps.build,
      tabId: deps.tabId,
      claim: deps.claim(),
      ...deps.presence(),
    };
    // before the welcome, because the snapshot follows it in the same turn
    deps.onState(state);
    target.port.postMessage(message, theirs);
  };

  const spawn = (): void => {
    if (disposal.signal.aborted || deps.host === null) return;
    dropHost();
    try {
      host = deps.host();
    } catch {
      return refused();
    }
    host.onError = refused;
    hello(host);
  };

  if (deps.host === null) {
    coreState.state = "unsupported";
  } else {
    // the core must find the lock held when it queues for it
    deps.locks
      .request(tabLock(deps.tabId), { signal: disposal.signal }, () => {
        spawn();
        return new Promise<void>((resolve) => {
          releaseTabLock = resolve;
          if (disposal.signal.aborted) resolve();
        });
      })
      .catch(() => {});
  }

  return {
    session() {
      if (deps.host === null) return Promise.reject(new AppError("core.unsupported"));
      if (disposal.signal.aborted) return Promise.reject(new AppError("core.gone"));
      if (live !== null) return Promise.resolve(live);
      return new Promise((resolve, reject) => {
        waiters.push({ resolve, reject });
      });
    },
    again() {
      if (disposal.signal.aborted || deps.host === null) return;
      endLive();
      if (host === null) return spawn();
      hello(host);
    },
    retry() {
      if (host === null) spawn();
    },
    dispose() {
      if (disposal.signal.aborted) return;
      disposal.abort();
      timer?.cancel();
      endLive();
      dropHost();
      releaseTabLock();
      for (const waiter of waiters) waiter.reject(new AppError("core.gone"));
      waiters = [];
    },
  };
}
