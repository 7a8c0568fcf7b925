/**
 * Reads the frames of one client of a call or conference, whatever carries them: parses, enters by ticket, and runs the other
 * operations by their table (docs/server.md#signalling).
 */
import { OP, RESULT, WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import { z } from "../../../shared/zod.ts";
import type { SocketClient } from "../module.ts";
import type {
  Admitted,
  AnswerBody,
  ClientFrame,
  EnterFrame,
  FrameSink,
  Operation,
  RequestFrame,
  SignallingProtocol,
  SignallingSession,
  Verdict,
} from "./contracts.ts";

/** Sockets per person, over all calls, and over all conferences. */
export const SOCKETS_PER_PERSON = 4;

/** What an answer repeats of its request. A frame that cannot be read may have neither. */
interface Head {
  readonly tsxId?: string | undefined;
  readonly sessId?: string | undefined;
}
/** A refusal, which is the same for calls and conferences. */
type Refusal = { readonly op: typeof OP.response } & Head & Verdict;

/** The socket as the frame handler uses it. */
export interface FrameSocket<Out> extends FrameSink<Out | Refusal> {
  /** False when nothing can be sent any more. */
  readonly open: boolean;
}

export interface FrameHandler {
  /** Login session of the ticket with which it entered; null outside. */
  readonly loginSession: string | null;
  /** The call or conference; null outside. */
  readonly conferenceId: string | null;
  readonly inside: boolean;
  /** Handles one text frame. */
  receive(text: string): void;
  /** Refuses a frame that cannot be handled. */
  fail(msg: string): void;
  /** Ends the member's place, since it has no access any more, and closes the socket with a code after which no client returns. */
  putOut(reason: string): void;
  /** Called when the socket has ended. */
  gone(): void;
}

export interface FrameHandlerEvents {
  /** An invalid frame was answered. */
  readonly onBad: () => void;
  /** True when it has entered, false when it has left and may enter again. */
  readonly onInside: (inside: boolean) => void;
  /** An operation failed through no fault of the client. */
  readonly onError: (error: unknown, what: string) => void;
}

export function createFrameHandler<
  Session extends SignallingSession,
  In extends ClientFrame,
  Out,
  Admission extends Admitted,
>(
  socket: FrameSocket<Out>,
  client: SocketClient,
  protocol: SignallingProtocol<Session, In, Out, Admission>,
  events: FrameHandlerEvents,
): FrameHandler {
  let session: Session | null = null;
  let loginSession: string | null = null;
  let entering = false;
  const send = (frame: Out): void => void socket.send(frame);

  function left(): void {
    session = null;
    loginSession = null;
    events.onInside(false);
  }

  function answer({ tsxId, sessId = session?.sessId }: Head, body: AnswerBody<Out>): void {
    // The body lacks exactly the head; TypeScript cannot put a generic union together again.
    socket.send({ op: OP.response, tsxId, sessId, ...body } as Out);
  }
  function refuse({ tsxId, sessId = session?.sessId }: Head, verdict: Verdict): void {
    socket.send({ op: OP.response, tsxId, sessId, ...verdict });
  }
  function fail(msg: string, head: Head = {}): void {
    refuse(head, { result: RESULT.clientFailure, msg });
  }

  function bad(msg: string, head?: Head): void {
    fail(msg, head);
    events.onBad();
  }

  function receive(text: string): void {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      bad("not JSON");
      return;
    }
    const parsed = protocol.schema.safeParse(json);
    if (parsed.success) {
      handle(parsed.data);
      return;
    }
    const issue = parsed.error.issues[0];
    const where = issue?.path.join(".") ?? "";
    bad(`invalid ${where}: ${issue?.message ?? ""}`.slice(0, 300), headOf(json));
  }

  function handle(frame: In): void {
    if (isEnter(frame)) {
      void enter(frame).catch((error: unknown) => {
        entering = false;
        events.onError(error, "enter");
        // Send no answer: a refused enter would end the call for the client, while a lost socket is only retried.
        socket.close(WS_CLOSE.tryAgain, "try again later");
      });
      return;
    }
    const request = frame as RequestFrame<In> & { readonly sessId: string };
    // If the session now uses another socket, this one was replaced and its frames are refused.
    const own =
      session !== null && session.socket === socket && session.sessId === request.sessId
        ? session
        : null;
    if (own === null) {
      fail("message sessId error...", request);
      return;
    }
    const over = protocol.over?.(own) ?? null;
    if (over === null) run(own, request);
    else fail(over, request);
  }

  function run(own: Session, frame: RequestFrame<In> & Head): void {
    // The table has a row of the right type for each operation; TypeScript cannot follow an index of a union.
    const rows: Record<number, Operation<Session, RequestFrame<In>, Out>> = protocol.operations;
    const operation = rows[frame.op];
    if (operation === undefined) return;
    const refusal = operation.refusal?.(own, frame) ?? null;
    if (refusal !== null) {
      refuse(frame, refusal);
      return;
    }
    const from = { send, left, answer: (body: AnswerBody<Out>) => answer(frame, body) };
    void operation
      .run(own, frame, from)
      ?.catch((error: unknown) => events.onError(error, `op ${frame.op}`));
  }

  async function enter(frame: EnterFrame<In> & Head): Promise<void> {
    if (entering || (session !== null && session.socket === socket)) {
      fail(protocol.texts.entered, frame);
      return;
    }
    const ticket = protocol.ticketOf(frame);
    if (ticket === null) {
      bad("invalid ticket: required", frame);
      return;
    }
    entering = true;
    const admission = await protocol.admit(ticket);
    entering = false;
    if (!socket.open) return;
    if (admission.loginSession === undefined) {
      refuse(frame, { result: admission.result, msg: admission.msg });
      if (admission.result === RESULT.badTicket) socket.close(WS_CLOSE.unauthorised, "bad ticket");
      return;
    }
    const known = client.identify(ticket.memName);
    if (!known || protocol.socketsBeside(frame, admission) >= SOCKETS_PER_PERSON) {
      refuse(frame, { result: RESULT.notAllowed, msg: protocol.texts.tooMany });
      socket.close(WS_CLOSE.tooMany, "too many sockets");
      return;
    }
    const entered = protocol.enter(frame, admission, socket, client);
    if ("result" in entered) {
      refuse(frame, entered);
      return;
    }
    session = entered.session;
    loginSession = admission.loginSession;
    events.onInside(true);
    answer({ tsxId: frame.tsxId, sessId: session.sessId }, entered.answer);
    for (const missed of entered.missed) socket.send(missed);
    await entered.afterwards?.().catch((error: unknown) => events.onError(error, "after an enter"));
  }

  return {
    get loginSession() {
      return loginSession;
    },
    get conferenceId() {
      return session === null ? null : protocol.conferenceIdOf(session);
    },
    get inside() {
      return session !== null && session.socket === socket;
    },
    receive,
    fail,
    putOut(reason) {
      if (session !== null && session.socket === socket) protocol.putOut?.(session);
      socket.close(WS_CLOSE.unauthorised, reason);
    },
    gone() {
      if (session !== null) protocol.drop(session, socket);
    },
  };
}

const isEnter = <In extends ClientFrame>(frame: In): frame is EnterFrame<In> =>
  frame.op === OP.enter;

const idSchema = z.string().min(1).max(64).optional().catch(undefined);
const headSchema = z.object({ tsxId: idSchema, sessId: idSchema }).catch({});
/** The ids in an invalid frame, so that its sender can identify the frame. */
const headOf = (json: unknown): Head => headSchema.parse(json);
