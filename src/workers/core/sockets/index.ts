/**
 * A websocket of JSON messages that comes back by itself: growing delays with jitter, no tries while the machine is offline, a
 * heartbeat, and a close that may be called at any time. Signalling and the quality upload use it; the chat SDK has its own socket.
 */
import { reconnectDelay } from "../../../shared/domain/backoff.ts";
import type { ConnectionState } from "../../../shared/protocol/state.ts";
import type { CoreEnv, SocketLike, Stats, Timer } from "../contracts.ts";

export interface JsonSocketOptions {
  readonly env: Pick<CoreEnv, "clock" | "openSocket" | "online" | "random">;
  readonly name: "signalling" | "quality";
  readonly stats?: Pick<Stats, "socket" | "socketTraffic">;
  /** Asked before every try: an address often bears a token. A rejection counts as a failed try. */
  readonly url: () => string | Promise<string>;
  /** ms before try number `attempt` (0 is the first after a loss); null gives up. Default: shared/domain/backoff. */
  readonly delays?: (attempt: number) => number | null;
  /** `again` is false for the first opening since `open()`. */
  readonly onOpen?: (again: boolean) => void;
  /** Parsed JSON, not validated further. */
  readonly onMessage: (message: unknown) => void;
  /** After each loss of an open socket or failed try, before the next is planned. Return "stop" to give up. */
  readonly onLoss?: (loss: Loss) => "stop" | void;
  /** The delays ended, or onLoss said stop. */
  readonly onGiveUp?: () => void;
  readonly onState?: (state: ConnectionState, attempts: number) => void;
  /** A message that is no JSON text. It is dropped. */
  readonly onBadMessage?: (reason: string) => void;
  readonly heartbeat?: {
    /** ms of the beat */
    readonly every: number;
    /** What to send at a beat; undefined sends nothing. */
    readonly beat?: () => unknown;
    /** ms without any message after which the socket counts as dead. */
    readonly silence: number;
  };
  /** ms that a try may take; default 10 s. */
  readonly openTimeout?: number;
  /** ms an opening must last before the count of tries starts anew; default 5 s. */
  readonly stableAfter?: number;
}

export interface Loss {
  readonly code: number;
  readonly reason: string;
  readonly wasOpen: boolean;
  readonly attempts: number;
  /** What `url()` rejected with, else undefined. */
  readonly error?: unknown;
}

export interface JsonSocket {
  readonly state: ConnectionState;
  /** Tries since the last stable opening. */
  readonly attempts: number;
  /** Starts; does nothing when started. */
  open(): void;
  /** @returns false when the socket is not open: nothing was sent */
  send(message: unknown): boolean;
  /** Drops the present connection and tries again at once: for a peer that has gone silent. */
  reconnect(reason: string): void;
  /** Ends for good until `open()`; may be called in any state, any number of times. */
  close(code?: number, reason?: string): void;
}

const OPEN = 1;
/** Our own reasons: 4000 to 4999 are free for applications. */
const CODE_SILENT = 4000;

/** Why a connection ended that never reached the wire. */
const CODE_NO_URL = 0;

export function createJsonSocket(options: JsonSocketOptions): JsonSocket {
  const { env, stats, heartbeat } = options;
  const { clock, online } = env;
  const delays = options.delays ?? ((attempt: number) => reconnectDelay(attempt, env.random()));
  const openTimeout = options.openTimeout ?? 10_000;
  const stableAfter = options.stableAfter ?? 5_000;

  let state: ConnectionState = "closed";
  let running = false;
  let attempts = 0;
  let openings = 0;
  let socket: SocketLike | null = null;
  /** Raised with every try and every end, so that what belongs to an older try is dropped. */
  let generation = 0;
  let lastHeard = 0;
  let timers: Timer[] = [];
  let stopListening: (() => void) | null = null;

  const to = (next: ConnectionState): void => {
    state = next;
    stats?.socket(options.name, next, attempts);
    options.onState?.(next, attempts);
  };
  const clearTimers = (): void => {
    for (const timer of timers) timer.cancel();
    timers = [];
  };
  const later = (ms: number, run: () => void): void => {
    timers.push(clock.after(ms, run));
  };

  /** Lets go of the present socket without hearing from it again. */
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
      // a browser refuses codes that it reserves; the socket is given up either way
      old.close();
    }
  };

  const lost = (loss: Omit<Loss, "attempts">): void => {
    drop(1000, "");
    if (!running) return;
    // it must not end in a thrown handler: the retry has to be planned
    const verdict = options.onLoss?.({ ...loss, attempts });
    if (!running) return;
    if (verdict === "stop") return giveUp();
    if (!online.online) return to("waiting");
    const delay = delays(attempts);
    if (delay === null) return giveUp();
    attempts += 1;
    to("waiting");
    later(delay, attempt);
  };

  const giveUp = (): void => {
    end();
    options.onGiveUp?.();
  };

  const end = (code = 1000, reason = ""): void => {
    running = false;
    stopListening?.();
    stopListening = null;
    drop(code, reason);
    attempts = 0;
    openings = 0;
    if (state !== "closed") to("closed");
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
    later(stableAfter, () => {
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

  const attempt = (): void => {
    drop(1000, "");
    const mine = generation;
    to("connecting");
    later(openTimeout, () => lost({ code: CODE_SILENT, reason: "open timeout", wasOpen: false }));
    void (async () => {
      let next: SocketLike;
      try {
        const url = await options.url();
        if (mine !== generation) return;
        next = env.openSocket(url);
      } catch (error) {
        if (mine === generation) {
          lost({ code: CODE_NO_URL, reason: "no address", wasOpen: false, error });
        }
        return;
      }
      socket = next;
      next.onopen = () => {
        if (mine === generation) opened();
      };
      next.onmessage = (event) => {
        if (mine === generation) received(event.data);
      };
      next.onclose = (event) => {
        if (mine === generation) {
          lost({ code: event.code, reason: event.reason, wasOpen: state === "open" });
        }
      };
      // the close that follows an error says it all
      next.onerror = null;
    })();
  };

  const send = (message: unknown): boolean => {
    if (state !== "open" || socket === null || socket.readyState !== OPEN) return false;
    socket.send(JSON.stringify(message));
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
        if (running) to("waiting");
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
      if (running) attempt();
    },
    close: end,
  };
}
