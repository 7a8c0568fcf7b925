/** One signalling socket: parses and checks frames, enters by ticket, and passes the rest to the calls. */
import type { WebSocket } from "ws";
import {
  type ClientSignal,
  clientSignalSchema,
  OP,
  RESULT,
  type ServerSignal,
  SIGNALLING_LIMITS,
  WS_CLOSE,
} from "../../../shared/protocol/signalling.ts";
import type { Clock, SocketClient } from "../../base/module.ts";
import { createSocketGuard } from "../../base/socket-guard.ts";
import type { FrameSink, OpenCalls, Session } from "./open-calls.ts";

/** Milliseconds within which a socket must enter. */
export const ENTER_TIMEOUT_MS = 10_000;
/** Signalling sockets per user, over all conferences. */
export const SOCKETS_PER_USER = 4;

/** Whether a ticket admits to its conference now. */
export type Admission =
  | { readonly result: 0; readonly role: 7 | 3; readonly sessionId: string }
  | { readonly result: number; readonly role?: undefined };

type EnterSignal = Extract<ClientSignal, { op: typeof OP.enter }>;

export interface Connection {
  /** The login session of the ticket with which this socket entered. */
  readonly loginSession: string | null;
  /** The conference in which this socket is a member. */
  readonly confrId: string | null;
  close(code: number, reason: string): void;
}

/**
 * @param deps.admit checks a ticket; rejects when the database cannot be queried
 * @param deps.onGone called once, when the socket has ended
 */
export function createConnection(
  socket: WebSocket,
  client: SocketClient,
  deps: {
    readonly calls: OpenCalls;
    readonly clock: Clock;
    readonly admit: (ticket: EnterSignal["ticket"]) => Promise<Admission>;
    readonly onError: (error: unknown) => void;
    readonly onGone: (connection: Connection) => void;
  },
): Connection {
  const { calls, clock } = deps;
  let session: Session | null = null;
  let entering = false;
  let loginSession: string | null = null;
  let idle: { cancel(): void } = { cancel: () => undefined };

  const guard = createSocketGuard(socket, clock, SIGNALLING_LIMITS, {
    onText,
    onBinary: () => badFrame("binary frames are not understood"),
    onLimited: () => sendError(RESULT.clientFailure, "too many frames"),
    onGone() {
      idle.cancel();
      if (session !== null) calls.drop(session, link);
      deps.onGone(connection);
    },
  });
  const link: FrameSink = { send: (frame) => guard.send(frame), close: guard.close };
  const connection: Connection = {
    get loginSession() {
      return loginSession;
    },
    get confrId() {
      return session?.confrId ?? null;
    },
    close: guard.close,
  };
  waitForEnter();

  function waitForEnter(): void {
    idle.cancel();
    idle = clock.setTimeout(
      () => guard.close(WS_CLOSE.unauthorised, "did not enter in time"),
      ENTER_TIMEOUT_MS,
    );
  }

  function answer(frame: ServerSignal): void {
    guard.send(frame);
  }

  function sendError(result: number, msg: string, tsxId?: string): void {
    guard.send({ op: 0, ...(tsxId === undefined ? {} : { tsxId }), result, msg });
  }

  function badFrame(msg: string, tsxId?: string): void {
    sendError(RESULT.clientFailure, msg, tsxId);
    guard.bad();
  }

  function onText(text: string): void {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      badFrame("not JSON");
      return;
    }
    const parsed = clientSignalSchema.safeParse(json);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      badFrame(
        `invalid ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`.slice(0, 300),
        tsxIdOf(json),
      );
      return;
    }
    handle(parsed.data);
  }

  function handle(frame: ClientSignal): void {
    if (frame.op === OP.enter) {
      void enter(frame).catch((error: unknown) => {
        entering = false;
        deps.onError(error);
        // Send no answer: a refused enter would end the call, while a lost socket is only retried.
        guard.close(WS_CLOSE.tryAgain, "try again later");
      });
      return;
    }
    const { tsxId, sessId } = frame;
    // If the session now uses another socket, this one was replaced and its frames are refused.
    const own =
      session !== null && session.link === link && session.sessId === sessId ? session : null;
    if (own === null) {
      const refusal = { tsxId, sessId, result: RESULT.clientFailure };
      const msg = "message sessId error...";
      if (frame.op === OP.relay) answer({ op: OP.relay, ...refusal, msg });
      else sendError(RESULT.clientFailure, msg, tsxId);
      return;
    }
    switch (frame.op) {
      case OP.ping:
        answer({ op: OP.pong, tsxId, sessId });
        break;
      case OP.relay:
        answer({ op: OP.relay, tsxId, sessId, result: calls.relay(own, frame.to, frame.body) });
        break;
      case OP.terminate:
        answer({ op: OP.terminate, tsxId, sessId, result: RESULT.ok });
        calls.terminate(own, frame.reason);
        break;
      case OP.leave:
        answer({ op: OP.leave, tsxId, sessId, result: RESULT.ok });
        calls.leave(own);
        session = null;
        loginSession = null;
        waitForEnter();
        break;
    }
  }

  async function enter(frame: EnterSignal): Promise<void> {
    const { tsxId, ticket } = frame;
    const refuse = (result: number, msg: string): void =>
      answer({ op: OP.enter, tsxId, result, msg });
    if (entering || session?.link === link) {
      refuse(RESULT.clientFailure, "had joined confr");
      return;
    }
    entering = true;
    const admission = await deps.admit(ticket);
    entering = false;
    if (!guard.open) return;
    if (admission.role === undefined) {
      refuse(
        admission.result,
        admission.result === RESULT.conferenceGone ? "通话已结束" : "通话票据无效",
      );
      if (admission.result === RESULT.badTicket) guard.close(WS_CLOSE.unauthorised, "bad ticket");
      return;
    }
    const known = client.identify(ticket.memName);
    if (!known || calls.linksOf(ticket.memName, ticket.confrId) >= SOCKETS_PER_USER) {
      refuse(RESULT.notAllowed, "同时进行的通话过多");
      guard.close(WS_CLOSE.tooMany, "too many sockets");
      return;
    }
    const entered = calls.enter({
      confrId: ticket.confrId,
      member: {
        memId: ticket.memName,
        memName: ticket.memName,
        nickName: frame.nickName,
        role: admission.role,
      },
      sessId: frame.sessId,
      link,
    });
    if (entered === null) {
      refuse(RESULT.conferenceGone, "通话已结束");
      return;
    }
    idle.cancel();
    session = entered.session;
    loginSession = admission.sessionId;
    answer({
      op: OP.enter,
      tsxId,
      result: RESULT.ok,
      sessId: session.sessId,
      memId: session.member.memId,
      role: session.member.role,
      mems: entered.mems,
      yourIp: client.address,
      resumed: entered.resumed,
    });
  }

  return connection;
}

/** The transaction id of an invalid frame, so that its sender can identify the frame. */
function tsxIdOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null || !("tsxId" in json)) return undefined;
  const { tsxId } = json;
  return typeof tsxId === "string" && tsxId.length > 0 && tsxId.length <= 64 ? tsxId : undefined;
}
