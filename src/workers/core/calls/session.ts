/**
 * The signalling session of one call (docs/calls.md#signalling-session): enter with the ticket, resume after a lost
 * socket, relay to the other side, one socket at most. A socket that is down never ends a call; a server that refuses does.
 */
import {
  END_REASON,
  OP,
  type PeerMessage,
  RESULT,
  serverSignalSchema,
  signalErrorSchema,
  WS_CLOSE,
} from "../../../shared/protocol/signalling.ts";
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CoreEnv, Stats } from "../contracts.ts";
import { createJsonSocket } from "../sockets/index.ts";
import type { CallConfig } from "./config.ts";
import { createRequests } from "./requests.ts";

export interface CallSessionDeps {
  readonly env: Pick<
    CoreEnv,
    "clock" | "openSocket" | "online" | "random" | "newId" | "report" | "origin" | "config"
  >;
  readonly stats?: Pick<Stats, "socket" | "socketTraffic">;
  readonly config: CallConfig;
  readonly ticket: Ticket;
  readonly nickName: string;
  /** Identifies the device, so that the server can tell a resumed session from a second device of this person. */
  readonly resource: string;
  /** Chat user name of the other side. */
  readonly peerName: string;
  /** Session id of an earlier core; null for a new session. */
  readonly sessId: string | null;
  /** Requests a new ticket for the same conference; called once when the server refuses the current one. */
  readonly renew: () => Promise<Ticket>;
  readonly onEntered: (session: { sessId: string; memId: string; resumed: boolean }) => void;
  /** The other side entered (again) or left. */
  readonly onReachable: (reachable: boolean) => void;
  /** The other side left, or was away too long (an end reason). */
  readonly onExited: (reason: number) => void;
  readonly onBody: (body: PeerMessage) => void;
  readonly onTerminate: (reason: number) => void;
  /** The server does not let this person in: an end reason. */
  readonly onRefused: (reason: number) => void;
  /** Two devices of this person answered and the caller has not chosen yet: a lost session is entered again. */
  readonly contended: () => boolean;
}

export interface CallSession {
  readonly entered: boolean;
  /** End reason of a refusal; null without one. */
  readonly refused: number | null;
  /** This session has entered, and so has the other side. */
  readonly reachable: boolean;
  open(): void;
  /** Resolves to the result code; 0 when the server passed the message on. Never rejects. */
  relay(body: PeerMessage): Promise<number>;
  /**
   * Ends the conference for both sides, once. Returns false when the session has not entered; the caller must then inform the other
   * side in another way, as also when `unheard` is called because the server did not answer.
   */
  terminate(reason: number, unheard: () => void): boolean;
  /** Checks whether the socket still answers; a silent one is dropped and opened again. */
  probe(): void;
  /** Leaves and closes the socket; may be called at any time and repeatedly. */
  close(): void;
  /** Closes the socket at once, because another call is about to open one. */
  abort(): void;
}

/** docs/calls.md#entering */
export function refusalReason(result: number): number {
  if ([-9527, -95270, -500, -502, -504, -508, -510].includes(result)) return END_REASON.fail;
  if (result === -506 || result === -501) return END_REASON.closed;
  return END_REASON.reject;
}

/** The socket's address. A bare path is completed with the configured gateway, else with the page's origin. */
export function socketUrl(url: string, gatewayBaseUrl: string, origin: string): string {
  return new URL(url, new URL(gatewayBaseUrl, origin)).toString().replace(/^http/, "ws");
}

export function createCallSession(deps: CallSessionDeps): CallSession {
  const { env, config } = deps;
  let ticket = deps.ticket;
  let sessId = deps.sessId;
  let entered = false;
  let refused: number | null = null;
  /** Counts attempts, so that answers for an older socket are dropped. */
  let entering = 0;
  /** The server refused the ticket: a new one is requested, once per enter. */
  let renewing: Promise<boolean> | null = null;
  let closing = false;
  let terminated = false;
  let peer: string | null = null;
  let reachable = false;

  const setReachable = (): void => {
    const next = entered && peer !== null && !closing;
    if (next === reachable) return;
    reachable = next;
    if (!closing) deps.onReachable(next);
  };

  const socket = createJsonSocket({
    env,
    name: "signalling",
    ...(deps.stats === undefined ? {} : { stats: deps.stats }),
    url: () => socketUrl(ticket.url, env.config.gatewayBaseUrl, env.origin),
    onOpen: () => void enter(),
    onMessage: receive,
    onLoss: ({ code }) => {
      entered = false;
      peer = null;
      requests.fail();
      setReachable();
      if (code === WS_CLOSE.unauthorised && renewing === null && !closing) renewTicket();
      if (code !== WS_CLOSE.replaced || closing || deps.contended()) return;
      shut();
      // entering again would replace the other device, which would replace this one, endlessly
      deps.onTerminate(END_REASON.otherDevice);
      return "stop";
    },
    onGiveUp: () => env.report("signalling: gave up"),
    onBadMessage: (reason) => env.report(`signalling: ${reason}`),
    heartbeat: {
      every: config.pingIntervalMillis,
      beat: () => {
        ping(config.pingTimeoutMillis);
        return undefined;
      },
      silence: config.pingIntervalMillis * 2 + config.pingTimeoutMillis,
    },
  });

  const requests = createRequests({ env, send: (message) => socket.send(message) });

  function ping(timeout: number): void {
    if (sessId === null || !entered) return;
    void requests.ask({ op: OP.ping, sessId }, timeout).then((answer) => {
      if (answer.result === RESULT.requestTimeout && !closing) socket.reconnect("no pong");
    });
  }

  /** Resolves to false when there will be no other ticket. Never rejects. */
  function renewTicket(): Promise<boolean> {
    const asked = deps.renew().then(
      (fresh) => {
        ticket = fresh;
        return true;
      },
      (error: unknown) => {
        if (!AppError.from(error).retryable) return false;
        renewing = null;
        return true;
      },
    );
    renewing = asked;
    return asked;
  }

  async function enter(): Promise<void> {
    const mine = (entering += 1);
    await renewing;
    if (closing || mine !== entering) return;
    const answer = await requests.ask(
      {
        op: OP.enter,
        ticket,
        nickName: deps.nickName.slice(0, 64),
        resource: deps.resource.slice(0, 128),
        ...(sessId === null ? {} : { sessId }),
      },
      config.enterTimeout,
    );
    if (closing || mine !== entering) return;
    const signal = answer.signal;
    if (answer.result === RESULT.ok && signal?.op === OP.enter && signal.sessId !== undefined) {
      sessId = signal.sessId;
      entered = true;
      renewing = null;
      peer = signal.mems?.findLast((mem) => mem.memName === deps.peerName)?.memId ?? peer;
      deps.onEntered({
        sessId,
        memId: signal.memId ?? "",
        resumed: signal.resumed === true,
      });
      setReachable();
      return;
    }
    // a missing answer is not a refusal: reconnect
    if (signal === null) {
      if (answer.result === RESULT.requestTimeout) socket.reconnect("no answer to enter");
      return;
    }
    if (answer.result === RESULT.badTicket && renewing === null) {
      const again = await renewTicket();
      if (closing || mine !== entering) return;
      if (again) {
        // the server closes the socket after such a refusal; the next socket enters with the new ticket
        if (socket.state === "open") socket.reconnect("ticket renewed");
        return;
      }
    }
    refused = refusalReason(answer.result);
    shut();
    deps.onRefused(refused);
  }

  function receive(message: unknown): void {
    const parsed = serverSignalSchema.safeParse(message);
    if (!parsed.success) {
      const error = signalErrorSchema.safeParse(message);
      if (error.success && error.data.tsxId !== undefined) {
        requests.answer(error.data.tsxId, { result: error.data.result, signal: null });
        env.report(`signalling: frame refused (${error.data.result}) ${error.data.msg}`);
      } else env.report("signalling: a message could not be understood");
      return;
    }
    const signal = parsed.data;
    // store the session id before messages that follow in the same turn
    if (signal.op === OP.enter && signal.result === RESULT.ok) sessId = signal.sessId ?? sessId;
    if (signal.op === OP.enter || signal.op === OP.pong || signal.op === OP.leave) {
      requests.answer(signal.tsxId, { result: signal.op === OP.pong ? 0 : signal.result, signal });
      return;
    }
    if (signal.sessId !== sessId) {
      env.report("signalling: message of another session");
      return;
    }
    if (signal.op === OP.memberEntered) {
      if (signal.mem.memName !== deps.peerName) return;
      // the other side entered again, so pending messages must be sent again
      if (reachable) {
        peer = null;
        setReachable();
      }
      peer = signal.mem.memId;
      setReachable();
      return;
    }
    if (signal.op === OP.memberExited) {
      if (signal.memId !== peer) return;
      peer = null;
      setReachable();
      if (!closing) deps.onExited(signal.endReason ?? END_REASON.hangup);
      return;
    }
    if (signal.tsxId !== undefined) {
      requests.answer(signal.tsxId, { result: signal.result ?? 0, signal });
      return;
    }
    if (signal.op === OP.terminate) {
      if (!closing) deps.onTerminate(signal.endReason ?? END_REASON.hangup);
      return;
    }
    if (signal.body === undefined || closing) return;
    if (signal.from !== undefined && signal.from !== peer) {
      env.report("signalling: message of a member who is not the other side");
      return;
    }
    deps.onBody(signal.body);
  }

  function shut(): void {
    closing = true;
    entered = false;
    reachable = false;
    requests.fail();
    socket.close();
  }

  return {
    get entered() {
      return entered;
    },
    get refused() {
      return refused;
    },
    get reachable() {
      return reachable;
    },
    open: () => socket.open(),
    async relay(body) {
      if (!entered || peer === null || sessId === null) return RESULT.notFound;
      const answer = await requests.ask(
        { op: OP.relay, sessId, to: peer, body },
        config.relayTimeoutMillis,
      );
      if (answer.result === RESULT.requestTimeout && !closing) ping(config.pingTimeoutMillis);
      return answer.result;
    },
    terminate(reason, unheard) {
      if (terminated) return true;
      if (!entered || sessId === null || closing) return false;
      terminated = true;
      closing = true;
      // terminate includes leaving; wait a short time for its answer before closing
      void requests
        .ask({ op: OP.terminate, sessId, reason }, config.sessionCloseMillis)
        .then(({ result }) => {
          shut();
          if (result !== RESULT.ok) unheard();
        });
      return true;
    },
    probe: () => ping(config.probeTimeoutMillis),
    abort: shut,
    close() {
      if (terminated) return;
      if (closing || !entered || sessId === null) return shut();
      closing = true;
      void requests.ask({ op: OP.leave, sessId }, config.sessionCloseMillis).then(shut);
    },
  };
}
