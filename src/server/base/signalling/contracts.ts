/**
 * What calls and conferences supply to their common signalling (docs/server.md#signalling): the schema of the frames, the check
 * of tickets, how a member enters, and one row per operation. Frame handler, socket and set of sockets are the same for both.
 */
import type { z } from "../../../shared/zod.ts";
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import type { OP } from "../../../shared/protocol/signalling.ts";
import type { SocketClient } from "../module.ts";

/** A socket to one member, compared by identity. */
export interface FrameSink<Out> {
  /** @returns false when the member cannot be reached over this socket */
  send(frame: Out): boolean;
  close(code: number, reason: string): void;
}

/** A member's place in a call or conference. It survives its socket. */
export interface SignallingSession {
  readonly sessId: string;
  /** Null while the socket is lost and the grace time runs. */
  readonly socket: unknown;
}

/** Answer to a request. A result other than 0 means that nothing was changed. */
export interface Verdict {
  readonly result: number;
  readonly msg?: string;
}

/** A ticket that admits. */
export interface Admitted {
  readonly result: 0;
  /** The login session of the ticket. */
  readonly loginSession: string;
}
/** A ticket that does not. With RESULT.badTicket the socket is closed. */
export interface NotAdmitted {
  readonly result: number;
  readonly msg: string;
  readonly loginSession?: undefined;
}

export interface ClientFrame {
  readonly op: number;
  readonly tsxId: string;
}
/** An answer without its head, which the frame handler adds: op 1001, tsxId, sessId. */
export type AnswerBody<Out> = Omit<
  Extract<Out, { op: typeof OP.response }>,
  "op" | "tsxId" | "sessId"
>;
export type EnterFrame<In> = Extract<In, { op: typeof OP.enter }>;
export type RequestFrame<In> = Exclude<In, { op: typeof OP.enter }>;

/** The socket on which a request came. */
export interface Requester<Out> {
  /** Answers the request. */
  answer(body: AnswerBody<Out>): void;
  send(frame: Out): void;
  /** The member has left. Its socket may enter again. */
  left(): void;
}

/** One operation. It answers over the requester, at once or later. */
export interface Operation<Session, Frame, Out> {
  /** Who may: a refusal, or null. Without it every member may. */
  readonly refusal?: (session: Session, frame: Frame) => Verdict | null;
  /** A rejection is reported as an error that no client has caused. */
  readonly run: (session: Session, frame: Frame, from: Requester<Out>) => void | Promise<void>;
}

/** A row for every operation of the frames, except to enter. */
export type Operations<Session, In extends ClientFrame, Out> = {
  readonly [Op in RequestFrame<In>["op"]]: Operation<Session, Extract<In, { op: Op }>, Out>;
};

export interface SignallingProtocol<
  Session extends SignallingSession,
  In extends ClientFrame,
  Out,
  Admission extends Admitted,
> {
  /** All frames that a client may send. */
  readonly schema: z.ZodType<In>;
  readonly texts: {
    /** The socket has entered already. */
    readonly entered: string;
    /** The person has too many sockets. */
    readonly tooMany: string;
  };
  readonly operations: Operations<Session, In, Out>;
  /** The ticket of an enter; null when the frame has none. */
  ticketOf(frame: EnterFrame<In>): Ticket | null;
  /** Checks a ticket. Rejects when the database cannot be queried. */
  admit(ticket: Ticket): Promise<Admission | NotAdmitted>;
  /** Sockets of this person, over all calls or conferences, that stay open when this one enters. */
  socketsBeside(frame: EnterFrame<In>, admission: Admission): number;
  /**
   * Enters or resumes.
   *
   * @returns the session with the answer, the frames to send after it, and what to do then; or a refusal
   */
  enter(
    frame: EnterFrame<In>,
    admission: Admission,
    socket: FrameSink<Out>,
    client: SocketClient,
  ):
    | {
        readonly session: Session;
        readonly answer: AnswerBody<Out>;
        readonly missed: readonly Out[];
        /** A rejection is reported as an error that no client has caused. */
        readonly afterwards?: (() => Promise<void>) | undefined;
      }
    | Verdict;
  /** The socket of this session is lost. Does nothing when another socket has taken over. */
  drop(session: Session, socket: FrameSink<Out>): void;
  /** Removes a member who lost access: ends a call or conference that only this member kept open, and gives the others the reason. */
  putOut?(session: Session): void;
  conferenceIdOf(session: Session): string;
  /** Why this member can do nothing any more; null when it can. */
  over?(session: Session): string | null;
}
