/** Shared by the media operations: how they answer, and how a node's refusal is reported to a client. */
import {
  CONFR_RESULT,
  type ConferenceClientSignal,
  type ConferenceServerSignal,
  writeDescription,
} from "../../../shared/protocol/confr-signalling.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import { AppError } from "../../../shared/errors.ts";
import type { AnswerBody } from "../../base/signalling/contracts.ts";
import type { Description } from "../media-node/contracts.ts";
import type { Connection, Connections } from "./connections.ts";
import type { Session, Verdict } from "./types.ts";

export type Frame<O extends number> = Extract<ConferenceClientSignal, { op: O }>;

/** A client's offer. */
export interface Offer {
  readonly sdp: string;
  readonly fingerprint: string;
}
export interface Restarted {
  readonly verdict: Verdict;
  /** For `describe`. */
  readonly description?: Description;
}

export const UNAVAILABLE: Verdict = {
  result: CONFR_RESULT.mediaUnavailable,
  msg: "媒体服务暂不可用",
};
export const NO_CONNECTION: Verdict = { result: RESULT.notFound, msg: "连接不存在" };
export const TAKEN: Restarted = {
  verdict: {
    result: RESULT.notAllowed,
    msg: "the stream and its connection must have the same rtcId",
  },
};

/** Answers go over the session's current connection. A client that has lost its connection asks again. */
export const reply = (
  { socket, sessId }: Session,
  { tsxId }: { readonly tsxId: string },
  body: AnswerBody<ConferenceServerSignal>,
): void => {
  socket?.send({ op: OP.response, tsxId, sessId, ...body });
};

/** Sends the media node's description by event 106. A client that has lost its connection asks again. */
export function describe(connection: Connection, { type, sdp }: Description): void {
  const { session, rtcId, cctx } = connection;
  session.socket?.send({
    op: OP.answer,
    sessId: session.sessId,
    rtcId,
    sdp: writeDescription({ type: type === "answer" ? "ANSWER" : "OFFER", sdp }),
    cctx,
  });
}

export interface MediaCalls {
  readonly connections: Connections;
  verdictOf(error: unknown, what: string): Verdict;
  /** ICE restart by an offer. */
  restart(connection: Connection, offer: string): Promise<Restarted>;
}

/** @param onError receives errors that no client has caused */
export function createMediaCalls(
  connections: Connections,
  onError: (error: unknown, what: string) => void,
): MediaCalls {
  function verdictOf(error: unknown, what: string): Verdict {
    const known = AppError.from(error);
    if (known.code === "conference.invalid") {
      return { result: RESULT.clientFailure, msg: known.message };
    }
    onError(error, what);
    return UNAVAILABLE;
  }

  async function restart(connection: Connection, offer: string): Promise<Restarted> {
    try {
      const description = await connections.request(
        connection,
        connection.node.restart(connection.id, offer),
      );
      if (!connections.isOpen(connection)) return { verdict: UNAVAILABLE };
      return { verdict: { result: RESULT.ok }, description };
    } catch (error) {
      return { verdict: verdictOf(error, "restart") };
    }
  }
  return { connections, verdictOf, restart };
}
