/**
 * The signalling session of one call (docs/calls.md#signalling-session): relays to the other side, knows whether that side is there, and
 * ends the call for both. A connection that is down never ends a call; a server that refuses does.
 */
import type { MoveNews, MoveRequest } from "../../../shared/protocol/call-move.ts";
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import {
  type ClientSignal,
  END_REASON,
  OP,
  type PeerMessage,
  RESULT,
  type ServerSignal,
  serverSignalSchema,
} from "../../../shared/protocol/signalling.ts";
import type { CoreEnv } from "../contracts.ts";
import { createSignallingSession, type RequestOf } from "../signalling/session.ts";
import type { ConnectTransport } from "../signalling/transport.ts";
import type { CallConfig } from "./config.ts";

export interface CallSessionDeps {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  readonly config: CallConfig;
  /** Makes what carries the session's frames. */
  readonly connect: ConnectTransport;
  /** ms until a request without an answer counts as lost. */
  readonly requestMillis: number;
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
  /** Enters beside the device of this person that has the call. */
  readonly beside: () => boolean;
  /** What the server says of a call that goes to another device. */
  readonly onMove: (news: MoveNews) => void;
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
  /** Resolves to the result code. Never rejects. */
  move(request: MoveRequest): Promise<number>;
  /**
   * Ends the conference for both sides, once. Returns false when the session has not entered; the caller must then inform the other
   * side in another way, as also when `unheard` is called because the server did not answer.
   */
  terminate(reason: number, unheard: () => void): boolean;
  /** Checks whether the socket still answers; a silent one is dropped and opened again. */
  probe(): void;
  /** As `probe`, within three round trips, and `atLeast` ms. */
  hurry(atLeast: number): void;
  /** Replaces the socket, which is known to lead nowhere. */
  replaceSocket(): void;
  /** Leaves and closes the socket; may be called at any time and repeatedly. */
  close(): void;
  /** Closes the socket at once, because another call is about to open one. */
  abort(): void;
}

export function createCallSession(deps: CallSessionDeps): CallSession {
  const { env, config } = deps;
  let refused: number | null = null;
  /** Leaving: nothing more is reported. */
  let closing = false;
  let terminated = false;
  /** Tells the other side about the end in another way; null once that is not needed any more. */
  let unheard: (() => void) | null = null;
  let peer: string | null = null;
  let reachable = false;

  const session = createSignallingSession<RequestOf<ClientSignal>, ServerSignal>({
    env,
    name: "signalling",
    timings: {
      enterMillis: config.enterTimeout,
      entry: null,
      requestMillis: deps.requestMillis,
      pingTimeoutMillis: config.pingTimeoutMillis,
      releaseMillis: 0,
      wake: null,
    },
    connect: deps.connect,
    ticket: deps.ticket,
    sessId: deps.sessId,
    renew: deps.renew,
    contended: deps.contended,
    read(message) {
      const parsed = serverSignalSchema.safeParse(message);
      return parsed.success ? parsed.data : null;
    },
    enterFrame: (ticket, sessId) => ({
      op: OP.enter,
      ticket,
      nickName: deps.nickName.slice(0, 64),
      resource: deps.resource.slice(0, 128),
      ...(sessId === null ? {} : { sessId }),
      ...(deps.beside() ? { beside: true } : {}),
    }),
    // A call repeats what was not passed on when the other side can be reached again.
    mayHold: () => false,
    onEntered({ sessId = "", memId = "", mems }, resumed) {
      peer = mems?.findLast((mem) => mem.memName === deps.peerName)?.memId ?? peer;
      deps.onEntered({ sessId, memId, resumed });
      setReachable();
    },
    onLost() {
      peer = null;
      setReachable();
    },
    onRefused({ reason }) {
      peer = null;
      reachable = false;
      if (closing) return;
      closing = true;
      if (reason === END_REASON.otherDevice) return deps.onTerminate(reason);
      refused = reason;
      deps.onRefused(reason);
    },
    onEvent: received,
  });

  function setReachable(): void {
    const next = session.entered && peer !== null && !closing;
    if (next === reachable) return;
    reachable = next;
    if (!closing) deps.onReachable(next);
  }

  function received(signal: ServerSignal): void {
    switch (signal.op) {
      case OP.memberEntered:
        if (signal.mem.memName !== deps.peerName) return;
        // the other side entered again, so pending messages must be sent again
        if (reachable) {
          peer = null;
          setReachable();
        }
        peer = signal.mem.memId;
        return setReachable();
      case OP.memberExited:
        if (signal.memId !== peer) return;
        peer = null;
        setReachable();
        if (!closing) deps.onExited(signal.endReason ?? END_REASON.hangup);
        return;
      case OP.terminate:
        if (closing) return;
        return deps.onTerminate(signal.endReason ?? END_REASON.hangup);
      case OP.move:
        if (!closing) deps.onMove(signal.move);
        return;
      case OP.relay:
        if (closing) return;
        if (signal.from !== peer) {
          env.log("signalling", "warn", "message of a member who is not the other side");
          return;
        }
        return deps.onBody(signal.body);
      default:
    }
  }

  /** The server did not take the last request, if there was one. */
  function lastUnheard(): void {
    const reportUnheard = unheard;
    unheard = null;
    reportUnheard?.();
  }
  function abort(): void {
    closing = true;
    reachable = false;
    session.close();
    // Do not wait: the message about this call's end must leave before the next call rings.
    lastUnheard();
  }

  return {
    get entered() {
      return session.entered;
    },
    get refused() {
      return refused;
    },
    get reachable() {
      return reachable;
    },
    open: () => session.open(),
    async relay(body) {
      if (!session.entered || peer === null) return RESULT.notFound;
      const { result } = await session.ask({ op: OP.relay, to: peer, body });
      if (result === RESULT.requestTimeout && !closing) session.probe();
      return result;
    },
    move: async (move) => (await session.ask({ op: OP.move, move })).result,
    terminate(reason, onUnheard) {
      if (terminated) return true;
      if (!session.entered || closing) return false;
      terminated = true;
      closing = true;
      unheard = onUnheard;
      // terminate includes leaving
      const request = { op: OP.terminate, reason } as const;
      void session.leave(request, config.sessionCloseMillis).then(({ result }) => {
        reachable = false;
        if (result === RESULT.ok) unheard = null;
        lastUnheard();
      });
      return true;
    },
    probe: () => session.probe(config.probeTimeoutMillis),
    hurry: (atLeast) => session.hurry(atLeast),
    replaceSocket: () => session.replace("another address"),
    abort,
    close() {
      if (terminated) return;
      if (closing || !session.entered) return abort();
      closing = true;
      void session.leave({ op: OP.leave }, config.sessionCloseMillis);
    },
  };
}
