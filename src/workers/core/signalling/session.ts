/**
 * The signalling session of a call or conference: enters with a ticket, resumes after a loss, renews the ticket once, matches answers to
 * requests, and checks that the server still answers. What the frames say is the caller's business. The states are a table
 * (shared/domain/signalling-session); rules and times are in docs/calls.md#signalling-session and docs/conferences.md#session.
 */
import {
  type SessionEnd,
  sessionEnd,
  type SignallingEffect,
  type SignallingEvent,
  signallingSessionStep,
  type SignallingState,
} from "../../../shared/domain/signalling-session.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import { OP, type Pong, RESULT } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import { type Answer, createPending, LOST } from "./pending.ts";
import type { ConnectTransport } from "./transport.ts";

/** What the session reads of a server's frame. */
export interface ServerFrame {
  readonly op: number;
  readonly tsxId?: string | undefined;
  readonly sessId?: string | undefined;
  readonly result?: number | undefined;
  readonly msg?: string | undefined;
  readonly resumed?: boolean | undefined;
}
/** The answers among the frames F. */
export type AnswerFrame<F> = Extract<F, { op: typeof OP.response }>;
/** A client's frame without what the session adds. */
export type RequestOf<C> = C extends { op: typeof OP.enter } ? never : Omit<C, "tsxId" | "sessId">;

/** All in ms. */
export interface SessionTimings {
  /** One enter. Without an answer the connection is replaced. */
  readonly enterMillis: number;
  /** A session that never was inside fails after this time, and after this number of reconnects; null: it tries for ever. */
  readonly entry: { readonly millis: number; readonly attempts: number } | null;
  /** Any other request, unless it names its own timeout. */
  readonly requestMillis: number;
  readonly pingTimeoutMillis: number;
  /** From an enter until the held requests are sent. */
  readonly releaseMillis: number;
  /** A check that runs later than expected means that the machine slept: the connection may be dead without an event. */
  readonly wake: { readonly everyMillis: number; readonly sleptMillis: number } | null;
}

export interface SessionDeps<R extends object, F extends ServerFrame> {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  /** Begins each line of the log. */
  readonly name: string;
  readonly timings: SessionTimings;
  readonly connect: ConnectTransport;
  readonly ticket: Ticket;
  /** Session id of an earlier core; null for a new session. */
  readonly sessId: string | null;
  /** Validates a message. @returns null for one that is no frame */
  readonly read: (message: unknown) => F | null;
  /** The enter with this ticket, without `tsxId`. `sessId`: the session to resume. */
  readonly enterFrame: (ticket: Ticket, sessId: string | null) => object;
  /** Whether a request waits until there is a session; otherwise it is lost at once. */
  readonly mayHold: (request: R) => boolean;
  /** Gets another ticket; called once for each enter whose ticket the server does not accept. */
  readonly renew: () => Promise<Ticket>;
  /** Whether a session that was replaced enters again. Default: it does not. */
  readonly contended?: () => boolean;
  readonly onEntered: (answer: AnswerFrame<F>, resumed: boolean) => void;
  /** The connection of an entered session is lost. The session is entered again by itself. */
  readonly onLost: () => void;
  /** The session is over: the server refused it, another device replaced it, or it could not enter. */
  readonly onRefused: (end: SessionEnd) => void;
  /** Receives every frame of this session that answers no waiting request. */
  readonly onEvent: (signal: F) => void;
  readonly onPong?: (signal: F) => void;
}

export interface SignallingSession<R extends object, F extends ServerFrame> {
  readonly entered: boolean;
  open(): void;
  /**
   * Sends a request. Without a session it is held, if it may be.
   * @returns the answer; -408 when none came in time, -9527 when it was not sent or the connection was lost
   */
  ask(
    request: R,
    options?: { readonly timeout?: number; readonly tsxId?: string },
  ): Promise<Answer<F>>;
  /** Like `ask`, but the answer is ignored. @returns its tsxId, null when it was neither sent nor held */
  sendWithoutAnswer(request: R, tsxId?: string): string | null;
  /** Sends a ping. A connection that does not answer within `timeout` ms is replaced. */
  probe(timeout?: number): void;
  /** As `probe`, within three round trips, and `atLeast` ms. */
  hurry(atLeast: number): void;
  /** Replaces the connection, which is known to lead nowhere. */
  replace(why: string): void;
  /** Sends a last request, closes after its answer or `timeout` ms, and returns the answer. Without a session it closes at once. */
  leave(request: R, timeout: number): Promise<Answer<F>>;
  /** Closes at once. Idempotent. Waiting requests fail with -9527. */
  close(): void;
}

type TimerName = "entry" | "release" | "wake";
const isAnswer = <F extends ServerFrame>(signal: F): signal is F & AnswerFrame<F> =>
  signal.op === OP.response;

export function createSignallingSession<R extends object, F extends ServerFrame>(
  deps: SessionDeps<R, F>,
): SignallingSession<R, F> {
  const { env, timings } = deps;
  const { clock } = env;
  let state: SignallingState = "closed";
  let { ticket, sessId } = deps;
  /** Counts enters, so that what belongs to an older one is dropped. */
  let enters = 0;
  /** The tsxId of the last enter. */
  let enterId: string | null = null;
  /** The ticket is being renewed, or was since the last enter. */
  let renewal: Promise<Renewal> | null = null;
  /** ms that the last enter or ping took. */
  let roundTrip = 0;
  const pending = createPending<R, F>(clock);
  const timers = new Map<TimerName, Timer>();
  const after = (name: TimerName, ms: number, run: () => void): void => {
    timers.get(name)?.cancel();
    timers.set(name, clock.after(ms, run));
  };

  const transport = deps.connect({
    ticket: () => ticket,
    onOpen: () => void enter(),
    onMessage: receive,
    onBadMessage: (reason) => env.log("signalling", "warn", `${deps.name}: ${reason}`),
    onLoss({ why, attempts }) {
      pending.lost();
      dispatch({ type: "lost", why, attempts });
      return state === "closed" ? "stop" : undefined;
    },
    onBeat: () => probe(),
  });

  const effects: Record<SignallingEffect, (event: SignallingEvent<AnswerFrame<F>>) => void> = {
    connect() {
      if (timings.wake !== null) watch(timings.wake);
      transport.open();
    },
    entryTimer() {
      if (timings.entry === null) return;
      after("entry", timings.entry.millis, () => dispatch({ type: "entryTimeout" }));
    },
    clearEntryTimer: () => timers.get("entry")?.cancel(),
    releaseHeld() {
      if (pending.holding) after("release", timings.releaseMillis, release);
    },
    renewTicket: () => void renew(),
    reportEntered(event) {
      if (event.type === "accepted") deps.onEntered(event.answer, event.answer.resumed === true);
    },
    reportLost: () => deps.onLost(),
    shut() {
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
      pending.close();
      transport.close();
    },
    reportRefused: (event) => deps.onRefused(sessionEnd(event)),
  };

  function dispatch(event: SignallingEvent<AnswerFrame<F>>): void {
    const context = {
      known: sessId !== null,
      contended: deps.contended?.() ?? false,
      fresh: renewal === null,
      maxAttempts: timings.entry?.attempts ?? null,
    };
    const result = signallingSessionStep(state, context, event);
    state = result.to;
    for (const effect of result.effects) effects[effect](event);
  }

  async function enter(): Promise<void> {
    const ownEnter = (enters += 1);
    const stale = (): boolean => ownEnter !== enters || state === "closed";
    await renewal;
    if (stale()) return;
    const tsxId = env.newId();
    enterId = tsxId;
    const frame = { ...deps.enterFrame(ticket, sessId), tsxId };
    const at = clock.now();
    const answer = await pending.ask(tsxId, timings.enterMillis, () => transport.send(frame));
    if (stale() || answer === LOST) return;
    const { signal, result, msg } = answer;
    if (signal !== null && isAnswer(signal) && result === RESULT.ok) {
      renewal = null;
      roundTrip = clock.now() - at;
      return dispatch({ type: "accepted", answer: signal });
    }
    // A missing answer is not a refusal: try again over another connection.
    if (result === RESULT.requestTimeout) return transport.reconnect("no answer to enter");
    if (result === RESULT.badTicket && renewal === null) {
      const renewed = await renew();
      if (stale()) return;
      if (renewed === "renewed" && transport.state === "open") {
        transport.reconnect("ticket renewed");
      }
      // The server closes the connection after such a refusal; the next one enters.
      if (renewed !== "refused") return;
    }
    dispatch({ type: "refused", result, msg });
  }
  function renew(): Promise<Renewal> {
    const asked = deps.renew().then(
      (fresh): Renewal => {
        ticket = fresh;
        return "renewed";
      },
      (error: unknown): Renewal => {
        if (!AppError.from(error).retryable) return "refused";
        renewal = null;
        return "later";
      },
    );
    renewal = asked;
    return asked;
  }

  function release(): void {
    if (state !== "entered") return;
    for (const { request, tsxId } of pending.release()) {
      if (!send(request, tsxId)) pending.settle(tsxId, LOST);
    }
  }
  const send = (request: R, tsxId: string): boolean =>
    state === "entered" && sessId !== null && transport.send({ ...request, sessId, tsxId });

  function probe(timeout = timings.pingTimeoutMillis): void {
    if (state !== "entered" || sessId === null) return;
    const tsxId = env.newId();
    const ping = { op: OP.ping, sessId, tsxId };
    const at = clock.now();
    void pending
      .ask(tsxId, timeout, () => transport.send(ping))
      .then(({ result, signal }) => {
        if (state === "closed" || state === "leaving") return;
        if (result === RESULT.requestTimeout) transport.reconnect("no pong");
        if (signal === null) return;
        roundTrip = clock.now() - at;
        deps.onPong?.(signal);
      });
  }
  function watch(wake: { readonly everyMillis: number; readonly sleptMillis: number }): void {
    const from = clock.now();
    after("wake", wake.everyMillis, () => {
      if (clock.now() - from > wake.sleptMillis) probe();
      watch(wake);
    });
  }

  function receive(message: unknown): void {
    const signal = deps.read(message);
    if (signal === null)
      return env.log("signalling", "warn", `${deps.name}: a message could not be understood`);
    const { op, tsxId, result = RESULT.ok, msg = "" } = signal;
    const unread = op === OP.response && result === RESULT.clientFailure;
    if (unread) env.log("signalling", "warn", `${deps.name}: frame refused (${result}) ${msg}`);
    // Set the id here: `enter` resumes only after the frames that arrive right behind this one.
    if (tsxId === enterId && result === RESULT.ok) sessId = signal.sessId ?? sessId;
    if (tsxId !== undefined && (op === OP.response || op === OP.pong)) {
      if (pending.settle(tsxId, { result, msg, signal: unread ? null : signal })) return;
    }
    if (unread) return;
    if (signal.sessId === undefined || signal.sessId !== sessId)
      return env.log("signalling", "warn", "message sessId error...");
    if (op === OP.ping) return void transport.send({ op: OP.pong, sessId, tsxId } satisfies Pong);
    if (state !== "closed") deps.onEvent(signal);
  }

  const mayHold = (request: R): boolean =>
    (state === "entering" || state === "resuming") && deps.mayHold(request);

  return {
    get entered() {
      return state === "entered";
    },
    open: () => dispatch({ type: "open" }),
    ask(request, { timeout = timings.requestMillis, tsxId = env.newId() } = {}) {
      if (state === "entered") return pending.ask(tsxId, timeout, () => send(request, tsxId));
      return mayHold(request) ? pending.hold(request, tsxId, timeout) : Promise.resolve(LOST);
    },
    sendWithoutAnswer(request, tsxId = env.newId()) {
      if (state === "entered") return send(request, tsxId) ? tsxId : null;
      if (!mayHold(request)) return null;
      void pending.hold(request, tsxId, timings.requestMillis);
      return tsxId;
    },
    probe,
    hurry: (atLeast) => probe(Math.max(atLeast, 3 * roundTrip)),
    replace(why) {
      if (state === "entered") transport.reconnect(why);
    },
    leave(request, timeout) {
      if (state !== "entered") {
        dispatch({ type: "close" });
        return Promise.resolve(LOST);
      }
      const tsxId = env.newId();
      const answered = pending.ask(tsxId, timeout, () => send(request, tsxId));
      dispatch({ type: "leave" });
      return answered.then((answer) => {
        dispatch({ type: "left" });
        return answer;
      });
    },
    close: () => dispatch({ type: "close" }),
  };
}

/** What became of a new ticket: it is there, it could not be asked for now, or there is none. */
type Renewal = "renewed" | "later" | "refused";
