/** This person's signalling session of the current call: one at a time; it also sends the state of microphone and camera. */
import { AppError } from "../../../shared/errors.ts";
import type { MoveNews, MoveRequest } from "../../../shared/protocol/call-move.ts";
import { END_REASON, OP, type PeerMessage, RESULT } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Stats, Timer } from "../contracts.ts";
import { socketTransport } from "../signalling/socket-transport.ts";
import type { ConnectTransport } from "../signalling/transport.ts";
import type { CallConfig } from "./config.ts";
import { ownSends } from "./own-devices.ts";
import { createCallSession, type CallSession } from "./session.ts";
import type { CallStore } from "./state.ts";
import type { Tickets } from "./tickets.ts";

export interface CallSignallingDeps {
  readonly env: CoreEnv;
  readonly stats: Pick<Stats, "socket" | "socketTraffic">;
  readonly config: CallConfig;
  readonly calls: CallStore;
  readonly tickets: Tickets;
  /** Makes the transport of the current call over chat; null where a websocket is the transport. */
  readonly overChat: ConnectTransport | null;
  readonly onEntered: (resumed: boolean) => void;
  readonly onReachable: () => void;
  readonly onBody: (body: PeerMessage) => void;
  /** The other side or the server ended it (an end reason). */
  readonly onEnded: (reason: number) => void;
  readonly onRefused: (reason: number) => void;
  readonly onMove: (news: MoveNews) => void;
}

export interface CallSignalling {
  readonly reachable: boolean;
  /** End reason of a refusal; null without one. */
  readonly refused: number | null;
  /** Opens the session with the call's ticket; does nothing when it is open. */
  open(): void;
  relay(body: PeerMessage): Promise<number>;
  /** Resolves to a result code. */
  move(request: MoveRequest): Promise<number>;
  terminate(reason: number, unheard: () => void): boolean;
  probe(): void;
  /** As `probe`, within three round trips, and `atLeast` ms. */
  hurry(atLeast: number): void;
  /** Replaces the socket, which is known to lead nowhere. */
  replaceSocket(): void;
  tellStreams(): void;
  /** Leaves. The socket closes within half a second, or at once when the next call needs it. */
  close(): void;
  stop(): void;
}

export function createCallSignalling(deps: CallSignallingDeps): CallSignalling {
  const { env, config, calls } = deps;
  let session: CallSession | null = null;
  /** The former call's session, which may still be leaving. */
  let previous: CallSession | null = null;
  let goodbye: Timer | null = null;

  /** Chat knows sooner than a session whether a message was lost, and its success may be a guess after a while. */
  const transport =
    deps.overChat === null
      ? {
          connect: socketTransport({ env, stats: deps.stats, ...config }),
          requestMillis: config.relayTimeoutMillis,
        }
      : { connect: deps.overChat, requestMillis: config.chatSendTimeoutMillis };

  const clearGoodbye = (): void => {
    goodbye?.cancel();
    goodbye = null;
  };
  const tellStreams = (): void => {
    const { info, owner } = calls.slice;
    const { picture } = calls.slice.local;
    const sends = ownSends(calls.slice);
    if (session === null || !session.reachable || owner?.ready !== true) return;
    void session.relay({
      op: OP.streamControl,
      voff: info?.media === "voice" || !sends.video ? 1 : 0,
      aoff: sends.audio ? 0 : 1,
      ...(picture === undefined ? {} : { picture }),
    });
  };

  return {
    get reachable() {
      return session?.reachable ?? false;
    },
    get refused() {
      return session?.refused ?? null;
    },
    open() {
      const { priv, slice } = calls;
      if (session !== null || priv === null || priv.ticket === null || slice.peer === null) return;
      previous?.abort();
      previous = null;
      const ownSession: CallSession = createCallSession({
        env,
        config,
        ...transport,
        ticket: priv.ticket,
        nickName: priv.me,
        resource: priv.device,
        peerName: slice.peer.userName,
        sessId: priv.sessId,
        renew: async () => {
          const got = await deps.tickets.join(priv.me, calls.slice.info?.channel ?? "");
          if (got.ticket === null) throw new AppError("signalling.refused");
          if (session === ownSession) calls.keep({ ticket: got.ticket });
          return got.ticket;
        },
        onEntered({ sessId, memId, resumed }) {
          if (session !== ownSession) return;
          calls.keep({ sessId, memId });
          deps.onEntered(resumed);
        },
        onReachable(reachable) {
          if (session !== ownSession) return;
          deps.onReachable();
          if (reachable) tellStreams();
        },
        onExited(reason) {
          if (session !== ownSession || reason !== END_REASON.hangup) return;
          // the other side left on purpose; another device of theirs may enter instead
          clearGoodbye();
          goodbye = env.clock.after(config.peerLeftMillis, () => {
            goodbye = null;
            if (session === ownSession && ownSession.entered && !ownSession.reachable)
              deps.onEnded(reason);
          });
        },
        onBody: (body) => {
          if (session === ownSession) deps.onBody(body);
        },
        onTerminate: (reason) => {
          if (session === ownSession) deps.onEnded(reason);
        },
        onRefused: (reason) => {
          if (session === ownSession) deps.onRefused(reason);
        },
        beside: () => session === ownSession && calls.priv?.arriving === true,
        onMove: (news) => {
          if (session === ownSession) deps.onMove(news);
        },
        contended() {
          const { direction, startedAt } = calls.slice;
          if (direction !== "in") return false;
          return startedAt === null || env.clock.now() - startedAt < config.contendedMillis;
        },
      });
      session = ownSession;
      ownSession.open();
    },
    relay: (body) => session?.relay(body) ?? Promise.resolve(-1),
    move: (request) => session?.move(request) ?? Promise.resolve(RESULT.clientFailure),
    terminate: (reason, unheard) => session?.terminate(reason, unheard) ?? false,
    probe: () => session?.probe(),
    hurry: (atLeast) => session?.hurry(atLeast),
    replaceSocket: () => session?.replaceSocket(),
    tellStreams,
    close() {
      clearGoodbye();
      session?.close();
      previous = session ?? previous;
      session = null;
    },
    stop() {
      clearGoodbye();
      session?.abort();
      session = null;
      previous?.abort();
    },
  };
}
