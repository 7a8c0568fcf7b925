/**
 * A websocket for JSON messages that reconnects automatically: growing delays with jitter, no attempts while the machine is offline,
 * a heartbeat, and a close that is allowed at any time. Signalling and the quality upload use it; the chat SDK has its own socket.
 */
import { reconnectDelay } from "../../../shared/domain/backoff.ts";
import { type SocketLoss, socketLoss } from "../../../shared/domain/socket-losses.ts";
import type { ConnectionState } from "../../../shared/protocol/state.ts";
import type { CoreEnv, SocketLike, Stats, Timer } from "../contracts.ts";

export interface JsonSocketOptions {
  readonly env: Pick<CoreEnv, "clock" | "openSocket" | "online" | "random">;
  readonly name: "signalling" | "quality";
  readonly stats: Pick<Stats, "socket" | "socketTraffic">;
  /** Called before every attempt, because an address often contains a token. A rejection counts as a failed attempt. */
  readonly url: () => string | Promise<string>;
  /** ms before attempt number `attempt` (0 is the first after a loss); null gives up. Default: shared/domain/backoff. */
  readonly delays?: (attempt: number) => number | null;
  /** `again` is false for the first connection since `open()`. */
  readonly onOpen?: (again: boolean) => void;
  /** Parsed JSON, not validated further. */
  readonly onMessage: (message: unknown) => void;
  /** Called after each loss or failed attempt, before the next is scheduled. Return "stop" to give up. */
  readonly onLoss?: (loss: Loss) => "stop" | void;
  /** The delays ended, or onLoss returned "stop". */
  readonly onGiveUp?: () => void;
  readonly onState?: (state: ConnectionState, attempts: number) => void;
  /** Called for a message that is not JSON text; it is dropped. */
  readonly onBadMessage?: (reason: string) => void;
  readonly heartbeat?: {
    /** ms between beats */
    readonly every: number;
    /** What to send at a beat; undefined sends nothing. */
    readonly beat?: () => unknown;
    /** ms without any message after which the socket counts as dead. */
    readonly silence: number;
  };
}

export interface Loss {
  readonly code: number;
  readonly reason: string;
  readonly wasOpen: boolean;
  readonly attempts: number;
  /** The rejection of `url()`, else undefined. */
  readonly error?: unknown;
}

export interface JsonSocket {
  readonly state: ConnectionState;
  /** Attempts since the last stable connection. */
  readonly attempts: number;
  /** Starts; does nothing when already started. */
  open(): void;
  /**
   * Sends bytes as a binary frame, anything else as JSON.
   *
   * @returns false when the socket is not open and nothing was sent
   */
  send(message: unknown): boolean;
  /** Drops the current connection and reconnects at once, for a peer that stopped answering. */
  reconnect(reason: string): void;
  /** Closes for good until `open()`; allowed in any state, any number of times. */
  close(code?: number, reason?: string): void;
}

const OPEN = 1;
/** How long an attempt may take. */
const OPEN_TIMEOUT_MS = 10_000;
/** How long a connection must last before the count of attempts is reset. */
const STABLE_MS = 5_000;
/** Close codes 4000 to 4999 are free for applications. */
const CODE_SILENT = 4000;

/** Used when the address could not be determined, so that no connection was attempted. */
const CODE_NO_URL = 0;

export function createJsonSocket(options: JsonSocketOptions): JsonSocket {
  const { env, stats, heartbeat } = options;
  const { clock, online } = env;
  const delays = options.delays ?? ((attempt: number) => reconnectDelay(attempt, env.random()));

  let state: ConnectionState = "closed";
  let running = false;
  let attempts = 0;
  let openings = 0;
  let socket: SocketLike | null = null;
  /** Raised with every attempt and every end, so that events of an older attempt are dropped. */
  let generation = 0;
  let lastHeard = 0;
  let timers: Timer[] = [];
  let stopListening: (() => void) | null = null;

  const to = (next: ConnectionState, why?: SocketLoss): void => {
    state = next;
    if (why === undefined) stats?.socket(options.name, next, attempts);
    else stats?.socket(options.name, next, attempts, why);
    options.onState?.(next, attempts);
  };
  const clearTimers = (): void => {
    for (const timer of timers) timer.cancel();
    timers = [];
  };
  const later = (ms: number, run: () => void): void => {
    timers.push(clock.after(ms, run));
  };

  /** Abandons the current socket and ignores its further events. */
  const drop = (code: number, reason: string): void => {
    generation += 1;
    clearTimers();
    const old = socket;
    socket = null;
    if (old === null) return;
    old.onopen = old.onmessage = old.onclose = old.onerror = null;
    try {
      old.close(code, reason);
    } catch {
      // a browser refuses codes that it reserves, so close without a code
      old.close();
    }
  };

  const lost = (loss: Omit<Loss, "attempts">): void => {
    drop(1000, "");
    if (!running) return;
    // onLoss must not throw past this point: the retry must still be scheduled
    const verdict = options.onLoss?.({ ...loss, attempts });
    if (!running) return;
    const why = socketLoss(loss.code, loss.reason, loss.wasOpen);
    if (verdict === "stop") return giveUp(why);
    if (!online.online) return to("waiting", why);
    const delay = delays(attempts);
    if (delay === null) return giveUp(why);
    attempts += 1;
    to("waiting", why);
    later(delay, () => attempt());
  };

  const giveUp = (why: SocketLoss): void => {
    end(1000, "", why);
    options.onGiveUp?.();
  };

  const end = (code = 1000, reason = "", why?: SocketLoss): void => {
    running = false;
    stopListening?.();
    stopListening = null;
    drop(code, reason);
    attempts = 0;
    openings = 0;
    if (state !== "closed") to("closed", why);
  };

  const beat = (): void => {
    if (heartbeat === undefined) return;
    later(heartbeat.every, () => {
      if (clock.now() - lastHeard > heartbeat.silence) {
        lost({ code: CODE_SILENT, reason: "silent", wasOpen: true });
        return;
      }
      const message = heartbeat.beat?.();
      if (message !== undefined) send(message);
      beat();
    });
  };

  const opened = (): void => {
    clearTimers();
    lastHeard = clock.now();
    openings += 1;
    to("open");
    later(STABLE_MS, () => {
      attempts = 0;
      stats?.socket(options.name, state, attempts);
    });
    beat();
    options.onOpen?.(openings > 1);
  };

  const received = (data: unknown): void => {
    lastHeard = clock.now();
    stats?.socketTraffic(options.name, "received");
    let message: unknown;
    try {
      if (typeof data !== "string") throw new TypeError("not a text message");
      message = JSON.parse(data);
    } catch (error) {
      options.onBadMessage?.(error instanceof Error ? error.message : "not JSON");
      return;
    }
    options.onMessage(message);
  };

  const attempt = (why?: SocketLoss): void => {
    drop(1000, "");
    const ownGeneration = generation;
    to("connecting", why);
    later(OPEN_TIMEOUT_MS, () =>
      lost({ code: CODE_SILENT, reason: "open timeout", wasOpen: false }),
    );
    void (async () => {
      let next: SocketLike;
      try {
        const url = await options.url();
        if (ownGeneration !== generation) return;
        next = env.openSocket(url);
      } catch (error) {
        if (ownGeneration === generation) {
          lost({ code: CODE_NO_URL, reason: "no address", wasOpen: false, error });
        }
        return;
      }
      socket = next;
      next.onopen = () => {
        if (ownGeneration === generation) opened();
      };
      next.onmessage = (event) => {
        if (ownGeneration === generation) received(event.data);
      };
      next.onclose = (event) => {
        if (ownGeneration === generation) {
          lost({ code: event.code, reason: event.reason, wasOpen: state === "open" });
        }
      };
      // ignore errors, because a close event follows each of them
      next.onerror = null;
    })();
  };

  const send = (message: unknown): boolean => {
    if (state !== "open" || socket === null || socket.readyState !== OPEN) return false;
    socket.send(
      message instanceof Uint8Array
        ? (message as Uint8Array<ArrayBuffer>)
        : JSON.stringify(message),
    );
    stats?.socketTraffic(options.name, "sent");
    return true;
  };

  const restart = (): void => {
    attempts = 0;
    attempt();
  };

  return {
    get state() {
      return state;
    },
    get attempts() {
      return attempts;
    },
    open() {
      if (running) return;
      running = true;
      stopListening = online.onChange((isOnline) => {
        if (!running) return;
        if (isOnline) {
          if (state === "waiting" || state === "connecting") restart();
          return;
        }
        const wasOpen = state === "open";
        drop(1000, "offline");
        if (wasOpen) options.onLoss?.({ code: 1006, reason: "offline", wasOpen, attempts });
        if (running) to("waiting", wasOpen ? "offline" : undefined);
      });
      if (online.online) restart();
      else to("waiting");
    },
    send,
    reconnect(reason) {
      if (!running || !online.online) return;
      const wasOpen = state === "open";
      drop(CODE_SILENT, reason);
      if (wasOpen) options.onLoss?.({ code: CODE_SILENT, reason, wasOpen, attempts });
      if (running) attempt(wasOpen ? "silent" : undefined);
    },
    close: (code, reason) => end(code, reason),
  };
}
