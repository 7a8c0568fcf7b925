/** The WebSocket of one conference client: limits, heartbeat, and the time to enter. */
import type { WebSocket } from "ws";
import { CONFR_SOCKET_LIMITS } from "../../../shared/protocol/confr-signalling.ts";
import { RESULT, WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { SocketClient } from "../../base/module.ts";
import { createSocketGuard } from "../../base/socket-guard.ts";
import { createFrameHandler, type FrameHandlerDeps } from "./frame-handler.ts";

/** Milliseconds within which a socket must enter. */
export const ENTER_TIMEOUT_MS = 10_000;

export interface ConferenceSocket {
  readonly loginSession: string | null;
  /** The conference in which this socket is a member. */
  readonly confrId: string | null;
  close(code: number, reason: string): void;
}

/** @param onGone called once, when the socket has ended */
export function createConferenceSocket(
  socket: WebSocket,
  client: SocketClient,
  deps: FrameHandlerDeps,
  onGone: (socket: ConferenceSocket) => void,
): ConferenceSocket {
  let idle: { cancel(): void } = { cancel: () => undefined };
  const fail = (msg: string): void => void guard.send({ op: 0, result: RESULT.clientFailure, msg });
  const guard = createSocketGuard(socket, deps.clock, CONFR_SOCKET_LIMITS, {
    onText: (text) => peer.receive(text),
    onBinary() {
      fail("binary frames are not understood");
      guard.bad();
    },
    onLimited: () => fail("too many frames"),
    onGone() {
      idle.cancel();
      peer.gone();
      onGone(own);
    },
  });
  const peer = createFrameHandler(guard, client, deps, {
    onBad: () => guard.bad(),
    onInside(inside) {
      idle.cancel();
      if (!inside) waitForEnter();
    },
  });
  const own: ConferenceSocket = {
    get loginSession() {
      return peer.loginSession;
    },
    get confrId() {
      return peer.confrId;
    },
    close: guard.close,
  };
  waitForEnter();

  function waitForEnter(): void {
    idle = deps.clock.setTimeout(
      () => guard.close(WS_CLOSE.unauthorised, "did not enter in time"),
      ENTER_TIMEOUT_MS,
    );
  }
  return own;
}
