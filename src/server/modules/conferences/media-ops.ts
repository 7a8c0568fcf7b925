/**
 * Publishing and subscribing (ops 102, 105, 106, 107, 205, 206, 400): first the rules of the conference, then the media node.
 * If the member has meanwhile left, become audience or published again, the node's result is closed.
 */
import { CONFR_OP } from "../../../shared/protocol/confr-signalling.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import type { Connections } from "./connections.ts";
import { createMediaCalls, type Frame, NO_CONNECTION, reply } from "./media-calls.ts";
import { createPublish } from "./publishing.ts";
import { tellFlags } from "./holding.ts";
import { control, removeStream } from "./streams.ts";
import { createSubscribe } from "./subscribing.ts";
import type { Session, Verdict } from "./types.ts";

export interface MediaOps {
  publish(session: Session, frame: Frame<typeof CONFR_OP.publish>): Promise<void>;
  subscribe(session: Session, frame: Frame<typeof CONFR_OP.subscribe>): Promise<void>;
  answer(session: Session, frame: Frame<typeof CONFR_OP.answer>): Promise<void>;
  candidates(session: Session, frame: Frame<typeof CONFR_OP.candidates>): void;
  unsubscribe(session: Session, frame: Frame<typeof CONFR_OP.unsubscribe>): void;
  terminate(session: Session, frame: Frame<typeof CONFR_OP.terminate>): void;
  streamControl(session: Session, frame: Frame<typeof CONFR_OP.streamControl>): void;
}

export function createMediaOps(deps: {
  readonly connections: Connections;
  /** Receives errors that no client has caused. */
  readonly onError: (error: unknown, what: string) => void;
}): MediaOps {
  const { connections } = deps;
  const calls = createMediaCalls(connections, deps.onError);
  const { verdictOf } = calls;

  /** @returns whether there was something to end */
  function hangUp(session: Session, rtcId: string): boolean {
    const { conference } = session;
    const connection = connections.find(session, rtcId);
    if (connection?.kind === "sub") {
      connections.close(connection);
      return true;
    }
    // Its connection may already be lost, or not exist yet.
    const stream = [...conference.streams.values()].find(
      ({ owner, info }) => owner === session && info.rtcId === rtcId,
    );
    if (connection !== undefined) connections.close(connection);
    if (stream !== undefined) removeStream(conference, stream.info.id);
    return connection !== undefined || stream !== undefined;
  }

  return {
    publish: createPublish(calls),
    subscribe: createSubscribe(calls),
    async answer(session, { tsxId, rtcId, sdp }) {
      const head = { op: CONFR_OP.answer, tsxId, sessId: session.sessId } as const;
      const connection = connections.find(session, rtcId);
      let verdict: Verdict = NO_CONNECTION;
      if (connection?.kind === "sub") {
        try {
          await connections.request(connection, connection.node.answer(connection.id, sdp));
          verdict = connections.isOpen(connection) ? { result: RESULT.ok } : NO_CONNECTION;
        } catch (error) {
          verdict = verdictOf(error, "answer");
        }
      }
      reply(session, { ...head, ...verdict });
    },
    candidates(session, { tsxId, rtcId, cands }) {
      const connection = connections.find(session, rtcId);
      connection?.node.candidates(connection.id, cands);
      const result = connection === undefined ? RESULT.notFound : RESULT.ok;
      reply(session, { op: CONFR_OP.candidates, tsxId, sessId: session.sessId, rtcId, result });
    },
    unsubscribe(session, { tsxId, rtcId, subSId }) {
      const connection = connections.find(session, rtcId);
      const own = connection?.kind === "sub" && connection.streamId === subSId;
      if (own) connections.close(connection);
      reply(session, {
        op: CONFR_OP.unsubscribe,
        tsxId,
        sessId: session.sessId,
        ...(own ? { result: RESULT.ok } : NO_CONNECTION),
      });
    },
    terminate(session, { tsxId, rtcId }) {
      const result = hangUp(session, rtcId) ? RESULT.ok : RESULT.notFound;
      reply(session, { op: CONFR_OP.terminate, tsxId, sessId: session.sessId, rtcId, result });
    },
    streamControl(session, { tsxId, rtcId, voff, aoff }) {
      const { changed, ...verdict } = control(session, rtcId, voff, aoff);
      reply(session, { op: CONFR_OP.streamControl, tsxId, sessId: session.sessId, ...verdict });
      if (changed !== undefined) tellFlags(session.conference, changed);
    },
  };
}
