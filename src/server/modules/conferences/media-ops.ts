/**
 * Publishing and subscribing (ops 102, 105, 106, 107, 205, 206, 400): first the rules of the conference, then the media node.
 * If the member has meanwhile left, become audience or published again, the node's result is closed.
 */
import { END_REASON, OP, RESULT } from "../../../shared/protocol/signalling.ts";
import { readCandidates, readDescription } from "../../../shared/protocol/confr-signalling.ts";
import { type Connections, fingerprintOf } from "./connections.ts";
import { createMediaCalls, type Frame, NO_CONNECTION, type Offer, reply } from "./media-calls.ts";
import { createPublish } from "./publishing.ts";
import { tellFlags } from "./holding.ts";
import { sendToMember } from "./state.ts";
import { control, removeStream } from "./streams.ts";
import { createSubscribe } from "./subscribing.ts";
import type { Session, Verdict } from "./types.ts";

/** End reason of a client that keeps its devices and is about to build the connection again. */
const REBUILDS = -10;

/** What a client publishes on entering. */
export interface EnterOffer {
  readonly rtcId: string;
  readonly sdp: string;
  readonly pubS: NonNullable<Frame<typeof OP.enter>["pubS"]>;
}

function offerOf(text: string): Offer {
  const sdp = readDescription(text)?.sdp ?? "";
  return { sdp, fingerprint: fingerprintOf(sdp) };
}

export interface MediaOps {
  /**
   * Publishes what came with an enter, after its answer. A refusal ends the connection by op 107, not the membership.
   */
  entered(session: Session, offered: EnterOffer): Promise<void>;
  offer(session: Session, frame: Frame<typeof OP.offer>): Promise<void>;
  select(session: Session, frame: Frame<typeof OP.subscribe>): void;
  answer(session: Session, frame: Frame<typeof OP.answer>): Promise<void>;
  candidates(session: Session, frame: Frame<typeof OP.candidates>): void;
  unsubscribe(session: Session, frame: Frame<typeof OP.unsubscribe>): void;
  terminate(session: Session, frame: Frame<typeof OP.terminate>): void;
  streamControl(session: Session, frame: Frame<typeof OP.streamControl>): void;
  /** Whether the member has this connection, and its media flow. */
  isConnected(session: Session, rtcId: string): boolean;
}

export function createMediaOps(deps: {
  readonly connections: Connections;
  /** Receives errors that no client has caused. */
  readonly onError: (error: unknown, what: string) => void;
}): MediaOps {
  const { connections } = deps;
  const calls = createMediaCalls(connections, deps.onError);
  const { verdictOf } = calls;
  const publish = createPublish(calls);
  const { subscribe, select } = createSubscribe(calls);

  /** @param wait ms that the stream may be missing, when the client may be about to publish again @returns what the answer says */
  function hangUp(
    session: Session,
    { rtcId, pubSId }: Pick<Frame<typeof OP.terminate>, "rtcId" | "pubSId">,
    wait: number | null,
  ): Verdict & { pubSId?: string; cver?: number } {
    const { conference } = session;
    const connection = connections.find(session, rtcId);
    if (connection !== undefined) connections.close(connection);
    // Its connection may already be lost, or not exist yet.
    const stream = [...conference.streams.values()].find(
      ({ owner, info, ...one }) => owner === session && (one.rtcId === rtcId || info.id === pubSId),
    );
    if (connection?.kind === "sub" || stream === undefined) {
      return connection === undefined ? NO_CONNECTION : { result: RESULT.ok };
    }
    const { id } = stream.info;
    if (wait !== null) {
      // A second end of the connection comes before the offer.
      if (connection === undefined && stream.abandoned) return { result: RESULT.ok };
      connections.abandon(stream, wait, () => removeStream(conference, id));
      return { result: RESULT.ok };
    }
    removeStream(conference, id);
    return { result: RESULT.ok, pubSId: id, cver: conference.cver };
  }

  return {
    async entered(session, { rtcId, sdp, pubS }) {
      const { sessId } = session;
      await publish(session, { rtcId }, pubS, offerOf(sdp), ({ result, endReason }) => {
        // `publish` itself sends the end reason of a limit.
        if (result === RESULT.ok || endReason !== undefined) return;
        sendToMember(session, { op: OP.terminate, sessId, rtcId, endReason: END_REASON.fail });
      });
    },
    async offer(session, frame) {
      const { rtcId, pubS, subSId } = frame;
      const offer = offerOf(frame.sdp);
      if (subSId !== undefined) return subscribe(session, frame, subSId, offer);
      if (pubS !== undefined) {
        return publish(session, frame, pubS, offer, (body) => reply(session, frame, body));
      }
      reply(session, frame, { rtcId, result: RESULT.clientFailure, msg: "pubS or subSId" });
    },
    select,
    async answer(session, frame) {
      const { rtcId } = frame;
      const sdp = readDescription(frame.sdp)?.sdp ?? "";
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
      reply(session, frame, verdict);
    },
    candidates(session, frame) {
      const { rtcId, cands } = frame;
      const connection = connections.find(session, rtcId);
      connection?.node.candidates(connection.id, readCandidates(cands));
      const result = connection === undefined ? RESULT.notFound : RESULT.ok;
      reply(session, frame, { rtcId, result });
    },
    unsubscribe(session, frame) {
      const { rtcId, subSId } = frame;
      const connection = connections.find(session, rtcId);
      const own = connection?.kind === "sub" && connection.streamId === subSId;
      if (own) connections.close(connection);
      reply(session, frame, own ? { result: RESULT.ok } : NO_CONNECTION);
    },
    terminate(session, frame) {
      const { rtcId, endReason = frame.reason } = frame;
      const { orphan, republish } = session.conference.deps.timings;
      const missing = endReason === REBUILDS ? orphan : republish;
      const wait = endReason === undefined || endReason === REBUILDS ? missing : null;
      reply(session, frame, { rtcId, ...hangUp(session, frame, wait) });
    },
    streamControl(session, frame) {
      const { rtcId, voff, aoff } = frame;
      const { changed, ...verdict } = control(session, rtcId, voff, aoff);
      reply(session, frame, verdict);
      if (changed !== undefined) tellFlags(session.conference, changed);
    },
    isConnected: (session, rtcId) => connections.find(session, rtcId)?.ready === true,
  };
}
