/** Shared by the media operations: how they answer, and how a node's refusal is reported to a client. */
import {
  CONFR_RESULT,
  type ConfrClientSignal,
  type ConfrServerSignal,
} from "../../../shared/protocol/confr-signalling.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Connection, Connections } from "./connections.ts";
import type { Session, Verdict } from "./types.ts";

export type Frame<O extends number> = Extract<ConfrClientSignal, { op: O }>;

export const UNAVAILABLE: Verdict = {
  result: CONFR_RESULT.mediaUnavailable,
  msg: "媒体服务暂不可用",
};
export const NO_CONNECTION: Verdict = { result: RESULT.notFound, msg: "连接不存在" };
export const TAKEN: Verdict = {
  result: RESULT.notAllowed,
  msg: "the stream and its connection must have the same rtcId",
};
const NO_RESTART: Verdict = { result: RESULT.notAllowed, msg: "媒体服务不支持重启连接" };

/** Answers go over the session's current connection. A client that has lost its connection asks again. */
export const reply = (session: Session, frame: ConfrServerSignal): void => {
  session.link?.send(frame);
};

export interface MediaCalls {
  readonly connections: Connections;
  verdictOf(error: unknown, what: string): Verdict;
  /** @param offer of a publisher */
  restart(connection: Connection, offer?: string): Promise<Verdict & { sdp?: string }>;
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

  async function restart(
    connection: Connection,
    offer?: string,
  ): Promise<Verdict & { sdp?: string }> {
    try {
      const restarted = await connections.request(
        connection,
        connection.node.restart(connection.id, offer),
      );
      if (restarted === null) return NO_RESTART;
      return connections.isOpen(connection) ? { result: RESULT.ok, ...restarted } : UNAVAILABLE;
    } catch (error) {
      return verdictOf(error, "restart");
    }
  }
  return { connections, verdictOf, restart };
}
