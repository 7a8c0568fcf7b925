/**
 * The signalling session of a conference (docs/conferences.md#session). It enters with a ticket, resumes after a loss, holds requests that
 * cannot be sent yet, and matches answers to requests. conference.ts interprets the frames.
 */
import { reconnectDelay } from "../../../shared/domain/backoff.ts";
import { AppError } from "../../../shared/errors.ts";
import {
  CONFR_OP,
  type ConfrClientSignal,
  confrServerSchema,
  type ConfrServerSignal,
  type VideoCodec,
} from "../../../shared/protocol/confr-signalling.ts";
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import { END_REASON, RESULT, WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import { refusalReason, socketUrl } from "../calls/session.ts";
import type { CoreEnv, Stats, Timer } from "../contracts.ts";
import { createJsonSocket } from "../sockets/index.ts";
import type { ConferenceConfig } from "./config.ts";
import { type Answer, createPending, LOST } from "./pending.ts";

type WithoutIds<T> = T extends unknown ? Omit<T, "tsxId" | "sessId"> : never;
export type ConferenceRequest = WithoutIds<Exclude<ConfrClientSignal, { op: 200 }>>;
export type Entered = Extract<ConfrServerSignal, { op: 200 }>;

export interface SessionDeps {
  readonly env: Pick<
    CoreEnv,
    "clock" | "openSocket" | "online" | "random" | "newId" | "config" | "origin" | "report"
  >;
  readonly stats?: Pick<Stats, "socket" | "socketTraffic">;
  readonly config: ConferenceConfig;
  readonly ticket: Ticket;
  readonly nickName: string;
  readonly resource: string;
  readonly ext: string;
  readonly vcodes: readonly VideoCodec[];
  /** The id of the session that an earlier core had; null for a new one. */
  readonly sessId: string | null;
  /** Returns the last conference version that was applied. */
  readonly cver: () => number;
  /** Fetches a new ticket. Called once when the server refuses the current one. */
  readonly renew: () => Promise<Ticket>;
  readonly onEntered: (answer: Entered, resumed: boolean) => void;
  readonly onLost: () => void;
  /** @param reason an end reason (docs/conferences.md#ends) */
  readonly onRefused: (reason: number, result: number, msg: string) => void;
  /** Receives every frame that does not answer an own request. */
  readonly onEvent: (signal: ConfrServerSignal) => void;
  /** Receives the server's conference version with each pong. */
  readonly onVersion: (cver: number) => void;
}

export interface ConferenceSession {
  readonly entered: boolean;
  open(): void;
  /**
   * Resolves with the answer. The result is -408 when none came, and -9527 when the session is lost. Without a session the request is held,
   * unless it concerns a connection.
   */
  ask(
    request: ConferenceRequest,
    options?: { readonly timeout?: number; readonly tsxId?: string },
  ): Promise<Answer>;
  /** Like `ask`, but the answer is ignored. @returns its tsxId, null when it was neither sent nor held */
  say(request: ConferenceRequest, tsxId?: string): string | null;
  /** Sends a ping. A socket that does not answer is replaced. */
  probe(): void;
  /** Closes at once. Idempotent. Waiting requests fail with -9527. */
  close(): void;
}

export function createSession(deps: SessionDeps): ConferenceSession {
  const { env, config } = deps;
  const { clock } = env;
  let { ticket, sessId } = deps;
  let entered = false;
  /** Whether the session was entered before, by this core or an earlier one. Then only the server ends it; failed reconnects do not. */
  let inside = sessId !== null;
  let closed = false;
  let renewed = false;
  let entering = 0;
  const timers = new Map<"enter" | "release" | "check", Timer>();
  const after = (name: "enter" | "release" | "check", ms: number, run: () => void): void => {
    timers.get(name)?.cancel();
    timers.set(name, clock.after(ms, run));
  };
  const pending = createPending<ConferenceRequest>(clock);

  const socket = createJsonSocket({
    env,
    name: "signalling",
    ...(deps.stats === undefined ? {} : { stats: deps.stats }),
    url: () => socketUrl(ticket.url, env.config.gatewayBaseUrl, env.origin),
    delays: (attempt) => Math.min(reconnectDelay(attempt, env.random()), config.reconnectDelay),
    onOpen: () => void enter(),
    onMessage: receive,
    onLoss: lost,
    onBadMessage: (reason) => env.report(`conference: ${reason}`),
    heartbeat: {
      every: config.pingIntervalMillis,
      beat: () => {
        probe();
        return undefined;
      },
      silence: config.pingIntervalMillis * 2 + config.pingTimeoutMillis,
    },
  });

  function lost({ code, attempts }: { code: number; attempts: number }): "stop" | void {
    const was = entered;
    entered = false;
    entering += 1;
    pending.lost();
    if (closed) return "stop";
    if (code === WS_CLOSE.replaced) {
      // Reconnecting would replace the other device in turn, endlessly.
      refuse(END_REASON.otherDevice, RESULT.otherDevice, "replaced");
      return "stop";
    }
    if (was) deps.onLost();
    if (!inside && attempts >= config.reconnect) {
      refuse(refusalReason(RESULT.reconnectFailed), RESULT.reconnectFailed, "reconnect failed");
      return "stop";
    }
    return;
  }
  function refuse(reason: number, result: number, msg: string): void {
    shut();
    deps.onRefused(reason, result, msg);
  }

  function probe(): void {
    if (!entered || sessId === null) return;
    const tsxId = env.newId();
    const ping = { op: CONFR_OP.ping, sessId, tsxId };
    void pending
      .ask(tsxId, config.pingTimeoutMillis, () => socket.send(ping))
      .then(({ result, signal }) => {
        if (closed) return;
        if (result === RESULT.requestTimeout) socket.reconnect("no pong");
        else if (signal?.op === CONFR_OP.pong) deps.onVersion(signal.cver);
      });
  }
  /** Probes after the machine slept: the socket may be dead, and no event reports that. */
  function check(): void {
    const from = clock.now();
    after("check", config.checkConnectIntervalMillis, () => {
      if (clock.now() - from > config.sleptMillis) probe();
      check();
    });
  }

  async function enter(): Promise<void> {
    const mine = (entering += 1);
    const tsxId = env.newId();
    const frame = {
      op: CONFR_OP.enter,
      tsxId,
      ticket,
      nickName: deps.nickName.slice(0, 64),
      resource: deps.resource.slice(0, 128),
      ext: deps.ext,
      acptOps: [CONFR_OP.controlRequest, CONFR_OP.message],
      vcodes: [...deps.vcodes],
      ...(sessId === null ? {} : { sessId, cver: deps.cver() }),
    };
    const timeout = Math.min(config.enterTimeout, config.requestTimeout);
    const { signal, result, msg } = await pending.ask(tsxId, timeout, () => socket.send(frame));
    if (closed || mine !== entering) return;
    if (signal?.op === CONFR_OP.enter && result === RESULT.ok) {
      sessId = signal.sessId ?? sessId;
      entered = true;
      inside = true;
      renewed = false;
      timers.get("enter")?.cancel();
      after("release", config.bufferedReleaseMillis, release);
      deps.onEntered(signal, signal.resumed === true);
      return;
    }
    if (signal === null && result !== RESULT.requestTimeout && msg === LOST.msg) return;
    // A missing answer is not a refusal: try again with another socket.
    if (result === RESULT.requestTimeout) return socket.reconnect("no answer to enter");
    if (result === RESULT.badTicket && !renewed) {
      renewed = true;
      try {
        ticket = await deps.renew();
        if (!closed) socket.reconnect("ticket renewed");
        return;
      } catch (error) {
        if (closed) return;
        if (AppError.from(error).retryable) {
          renewed = false;
          return;
        }
      }
    }
    refuse(refusalReason(result), result, msg);
  }
  function release(): void {
    if (!entered || sessId === null) return;
    for (const { request, tsxId } of pending.release()) {
      if (!socket.send({ ...request, sessId, tsxId })) pending.settle(tsxId, LOST);
    }
  }

  function receive(message: unknown): void {
    const parsed = confrServerSchema.safeParse(message);
    if (!parsed.success) {
      env.report("conference: a message could not be understood");
      return;
    }
    const signal = parsed.data;
    const tsxId = "tsxId" in signal ? signal.tsxId : undefined;
    if (signal.op === CONFR_OP.error) {
      env.report(`conference: frame refused (${signal.result}) ${signal.msg}`);
      const { result, msg } = signal;
      if (tsxId !== undefined) pending.settle(tsxId, { result, msg, signal: null });
      return;
    }
    // Set the id here: `enter` resumes only after the frames that arrive right behind this one.
    if (signal.op === CONFR_OP.enter && signal.result === RESULT.ok) {
      sessId = signal.sessId ?? sessId;
    }
    if (tsxId !== undefined && !("from" in signal && signal.from !== undefined)) {
      const result = "result" in signal ? (signal.result ?? RESULT.ok) : RESULT.ok;
      const msg = "msg" in signal && typeof signal.msg === "string" ? signal.msg : "";
      if (pending.settle(tsxId, { result, msg, signal })) return;
    }
    if (!("sessId" in signal) || signal.sessId === undefined || signal.sessId !== sessId) {
      env.report("message sessId error...");
      return;
    }
    if (!closed) deps.onEvent(signal);
  }

  function shut(): void {
    closed = true;
    entered = false;
    for (const timer of timers.values()) timer.cancel();
    timers.clear();
    pending.close();
    socket.close();
  }
  /** Whether a request may be held. Connections repeat their own requests when there is a session again. */
  const mayWait = (request: ConferenceRequest): boolean => !closed && !("rtcId" in request);

  function ask(request: ConferenceRequest, timeout: number, tsxId: string): Promise<Answer> {
    if (entered && sessId !== null) {
      const frame = { ...request, sessId, tsxId };
      return pending.ask(tsxId, timeout, () => socket.send(frame));
    }
    return mayWait(request) ? pending.hold(request, tsxId, timeout) : Promise.resolve(LOST);
  }

  return {
    get entered() {
      return entered;
    },
    open() {
      const { clientFailure } = RESULT;
      if (!inside) {
        after("enter", config.enterTimeout, () =>
          refuse(refusalReason(clientFailure), clientFailure, "enter timeout"),
        );
      }
      check();
      socket.open();
    },
    ask: (request, { timeout = config.requestTimeout, tsxId = env.newId() } = {}) =>
      ask(request, timeout, tsxId),
    say(request, tsxId = env.newId()) {
      if (!(entered && sessId !== null)) {
        if (!mayWait(request)) return null;
        void pending.hold(request, tsxId, config.requestTimeout);
        return tsxId;
      }
      return socket.send({ ...request, sessId, tsxId }) ? tsxId : null;
    },
    probe,
    close: shut,
  };
}
