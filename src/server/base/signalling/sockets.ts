/** The WebSockets of one signalling path: limits, heartbeat, the time to enter, and closing those that must go. */
import type { WebSocket } from "ws";
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { Clock, SocketClient } from "../module.ts";
import { createSocketGuard, type SocketLimits } from "../socket-guard.ts";
import type { Admitted, ClientFrame, SignallingProtocol, SignallingSession } from "./contracts.ts";
import { createFrameHandler, type FrameHandler } from "./frame-handler.ts";

/** Milliseconds within which a socket must enter. */
export const ENTER_TIMEOUT_MS = 10_000;

export interface SignallingSockets {
  /** Serves a socket whose upgrade was accepted. */
  accept(socket: WebSocket, client: SocketClient): void;
  /** Puts out the members that entered by a ticket of this login session, and closes their sockets. */
  endSession(sessionId: string): void;
  /** Login sessions by whose tickets members entered. */
  loginSessions(): Set<string>;
  /** Closes the sockets of these calls or conferences, because another process is their home now. */
  letGo(conferenceIds: readonly string[]): void;
  readonly size: number;
  /** Idempotent. Closes all sockets, and each that comes later. */
  stop(): void;
}

interface Served {
  readonly handler: FrameHandler;
  close(code: number, reason: string): void;
}

export function createSignallingSockets<
  Session extends SignallingSession,
  In extends ClientFrame,
  Out,
  Admission extends Admitted,
>(
  protocol: SignallingProtocol<Session, In, Out, Admission>,
  deps: {
    readonly clock: Clock;
    readonly limits: SocketLimits;
    readonly onError: (error: unknown, what: string) => void;
  },
): SignallingSockets {
  const { clock, limits } = deps;
  const sockets = new Set<Served>();
  let stopped = false;

  function serve(socket: WebSocket, client: SocketClient): void {
    const guard = createSocketGuard(socket, clock, limits, {
      onText: (text) => handler.receive(text),
      onBinary() {
        handler.fail("binary frames are not understood");
        guard.bad();
      },
      onLimited: () => handler.fail("too many frames"),
      onGone() {
        idle.cancel();
        handler.gone();
        sockets.delete(served);
      },
    });
    const handler = createFrameHandler(guard, client, protocol, {
      onBad: () => guard.bad(),
      onInside(inside) {
        idle.cancel();
        if (!inside) idle = waitForEnter();
      },
      onError: deps.onError,
    });
    const waitForEnter = (): { cancel(): void } =>
      clock.setTimeout(
        () => guard.close(WS_CLOSE.unauthorised, "did not enter in time"),
        ENTER_TIMEOUT_MS,
      );
    let idle = waitForEnter();
    const served: Served = { handler, close: guard.close };
    sockets.add(served);
  }

  function closeIf(match: (handler: FrameHandler) => boolean, code: number, reason: string): void {
    for (const { handler, close } of sockets) if (match(handler)) close(code, reason);
  }

  return {
    accept(socket, client) {
      if (stopped) socket.close(WS_CLOSE.shutdown, "server is stopping");
      else serve(socket, client);
    },
    endSession(sessionId) {
      for (const { handler } of sockets) {
        if (handler.loginSession === sessionId) handler.putOut("login session ended");
      }
    },
    loginSessions: () =>
      new Set([...sockets].flatMap(({ handler: { loginSession } }) => loginSession ?? [])),
    letGo(conferenceIds) {
      closeIf(
        ({ conferenceId }) => conferenceId !== null && conferenceIds.includes(conferenceId),
        WS_CLOSE.tryAgain,
        "at another process",
      );
    },
    get size() {
      return sockets.size;
    },
    stop() {
      stopped = true;
      closeIf(() => true, WS_CLOSE.shutdown, "server is stopping");
    },
  };
}
