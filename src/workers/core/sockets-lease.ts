/**
 * Decides when this core holds the sockets: while it has tabs (and for LINGER_MS after), and while it has the origin-wide sockets
 * lock. The core of a newer build asks for the lock; the older one releases it when no call runs, and queues behind the newer one.
 */
import { buildMessageSchema, PORT_PROTOCOL, SOCKETS_LOCK } from "../../shared/protocol/tab-port.ts";
import type { CoreEnv, Tabs, Timer } from "./contracts.ts";

/** ms that the sockets outlive the last tab, so that a reload does not log in to chat again. */
export const LINGER_MS = 30_000;
const LOOK_MS = 1_000;
/** Most ms that the next core waits until this one has stored its last changes. */
const STOP_MS = 2_000;
/** ms before an older core queues again, so that the newer one is in the queue first. */
const REQUEUE_MS = 2_000;

export interface Channel {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close(): void;
}

export interface SocketsLeaseDeps {
  readonly env: Pick<CoreEnv, "clock" | "locks" | "build" | "log">;
  readonly tabs: Pick<Tabs, "list" | "onJoin" | "onLeave">;
  readonly channel: Channel;
  /** True while no call runs, so that the sockets may move to another core. */
  readonly idle: () => boolean;
  readonly onStart: () => void;
  /** Resolves when the next core may begin. */
  readonly onStop: () => Promise<void>;
  readonly onRetired: (newerBuild: string) => void;
  /** Another core logged in or out. */
  readonly onSession: () => void;
}

export interface SocketsLease {
  /** Announces to cores of other builds that this core logged in or out. */
  tellSession(): void;
  /** Releases the sockets for good. */
  stop(): void;
}

export function createSocketsLease(deps: SocketsLeaseDeps): SocketsLease {
  const { env, tabs, channel } = deps;
  const { clock, locks } = env;
  let wanted = false;
  let held: { release(): void } | null = null;
  let queue: AbortController | null = null;
  let linger: Timer | null = null;
  let look: Timer | null = null;

  const requestLock = (): void => {
    if (!wanted || held !== null || queue !== null) return;
    const ownRequest = new AbortController();
    queue = ownRequest;
    locks.acquire(SOCKETS_LOCK, ownRequest.signal).then(
      (lock) => {
        if (queue !== ownRequest) return lock.release();
        queue = null;
        held = lock;
        deps.onStart();
      },
      () => {
        if (queue === ownRequest) queue = null;
      },
    );
  };
  const give = (): void => {
    queue?.abort();
    queue = null;
    if (held === null) return;
    const lock = held;
    held = null;
    // A storage that hangs must not keep the sockets from the next core.
    const late = clock.after(STOP_MS, () => lock.release());
    void deps.onStop().finally(() => {
      late.cancel();
      lock.release();
    });
  };
  const handOver = (): void => {
    look?.cancel();
    if (held !== null && !deps.idle()) {
      look = clock.after(LOOK_MS, handOver);
      return;
    }
    give();
    look = clock.after(REQUEUE_MS, requestLock);
  };

  const stopJoin = tabs.onJoin(() => {
    linger?.cancel();
    linger = null;
    wanted = true;
    requestLock();
  });
  const stopLeave = tabs.onLeave(() => {
    if (tabs.list().length > 0) return;
    linger?.cancel();
    linger = clock.after(LINGER_MS, () => {
      linger = null;
      wanted = false;
      give();
    });
  });

  channel.onmessage = (event) => {
    const parsed = buildMessageSchema.safeParse(event.data);
    if (!parsed.success) return;
    if (parsed.data.t === "session") return deps.onSession();
    if (parsed.data.build === env.build) return;
    deps.onRetired(parsed.data.build);
    handOver();
  };
  channel.postMessage({ t: "retire", build: env.build, protocol: PORT_PROTOCOL });

  return {
    tellSession: () => channel.postMessage({ t: "session" }),
    stop() {
      wanted = false;
      stopJoin();
      stopLeave();
      linger?.cancel();
      look?.cancel();
      channel.onmessage = null;
      channel.close();
      give();
    },
  };
}
