/**
 * Connections of members to media nodes: which node carries which conference, which connections are open, and the events of the
 * nodes. A connection is registered before its node has answered, because the node's candidates may arrive first.
 */
import {
  CONFR_END,
  CONFR_OP,
  type ConfrStream,
} from "../../../shared/protocol/confr-signalling.ts";
import { AppError } from "../../../shared/errors.ts";
import type { MediaNode, NodeEvent } from "../media-node/contracts.ts";
import type { Clock } from "../../base/module.ts";
import { tellOne } from "./state.ts";
import { removeStream } from "./streams.ts";
import type { ConferenceState, Session, Timer } from "./types.ts";

/** Milliseconds that a node may take for one request. */
export const MEDIA_TIMEOUT = 15_000;

export interface Connection {
  /** Id at the node, unique over all conferences. */
  readonly id: string;
  readonly node: MediaNode;
  readonly session: Session;
  readonly rtcId: string;
  readonly kind: "pub" | "sub";
  readonly streamId: string;
  /** Whether the node has answered and the connection counts. */
  ready: boolean;
}

export interface Connections {
  /**
   * The node of this conference, chosen by load at the first call.
   *
   * @returns null when no node is up
   */
  place(conference: ConferenceState): MediaNode | null;
  open(
    session: Session,
    connection: Pick<Connection, "node" | "rtcId" | "kind" | "streamId">,
  ): Connection;
  find(session: Session, rtcId: string): Connection | undefined;
  /** The connections of one stream. */
  of(streamId: string): readonly Connection[];
  /** Whether it was not closed, taken over or lost since it was opened. */
  isOpen(connection: Connection): boolean;
  countOf(session: Session): number;
  /** Idempotent. Sends no event. */
  close(connection: Connection): void;
  closeSession(session: Session): void;
  closeStream(streamId: string): void;
  closeRoom(conference: ConferenceState): void;
  /** The stream is published again, so its timer ends. */
  found(stream: Pick<ConfrStream, "id">): void;
  /**
   * Waits for the node's answer. If the connection was closed meanwhile or the answer is too late, the result is closed at the
   * node.
   *
   * @throws AppError conference.media-unavailable when the node does not answer in time
   */
  request<T>(connection: Connection, work: Promise<T>): Promise<T>;
  readonly size: number;
  /** Idempotent: stops listening and closes all connections; does not close the nodes. */
  stop(): void;
}

export function createConnections(deps: {
  readonly nodes: readonly MediaNode[];
  readonly clock: Clock;
  readonly newId: () => string;
}): Connections {
  const { nodes, clock } = deps;
  const byId = new Map<string, Connection>();
  const bySession = new Map<Session, Map<string, Connection>>();
  const byStream = new Map<string, Set<Connection>>();
  const places = new Map<ConferenceState, MediaNode>();
  /** Streams without a publisher's connection, until they are published again or given up. */
  const orphans = new Map<string, Timer>();

  function forget(connection: Connection): boolean {
    const { id, session, rtcId, streamId } = connection;
    if (!byId.delete(id)) return false;
    const own = bySession.get(session);
    if (own?.get(rtcId) === connection) own.delete(rtcId);
    if (own?.size === 0) bySession.delete(session);
    const others = byStream.get(streamId);
    others?.delete(connection);
    if (others?.size === 0) byStream.delete(streamId);
    return true;
  }
  function close(connection: Connection): void {
    if (forget(connection)) connection.node.closeConnection(connection.id);
  }

  /** Drops a connection and asks the member to create it again. */
  function lose(connection: Connection): void {
    if (!forget(connection)) return;
    const { node, id, session, rtcId, kind, streamId, ready } = connection;
    if (node.up) node.closeConnection(id);
    tellOne(session, {
      op: CONFR_OP.terminate,
      sessId: session.sessId,
      rtcId,
      endReason: CONFR_END.nodeGone,
    });
    if (kind !== "pub" || !ready) return;
    for (const other of of(streamId)) if (other.kind === "sub") lose(other);
    const { conference } = session;
    if (!conference.streams.has(streamId)) return;
    orphans.get(streamId)?.cancel();
    orphans.set(
      streamId,
      clock.setTimeout(() => {
        orphans.delete(streamId);
        removeStream(conference, streamId);
      }, conference.deps.timings.orphan),
    );
  }

  const isOpen = (connection: Connection): boolean => byId.get(connection.id) === connection;
  const of = (streamId: string): readonly Connection[] => [...(byStream.get(streamId) ?? [])];

  function onEvent(node: MediaNode, event: NodeEvent): void {
    if (event.t === "down") {
      for (const [conference, at] of places) if (at === node) places.delete(conference);
      for (const connection of byId.values()) if (connection.node === node) lose(connection);
      return;
    }
    if (event.t === "up") return;
    const connection = byId.get(event.id);
    if (connection?.node !== node) return;
    if (event.t === "state" && (event.state === "failed" || event.state === "closed")) {
      lose(connection);
    } else if (event.t === "candidates") {
      const { session, rtcId } = connection;
      tellOne(session, {
        op: CONFR_OP.candidates,
        sessId: session.sessId,
        rtcId,
        cands: [...event.cands],
      });
    }
  }
  const stops = nodes.map((node) => node.onEvent((event) => onEvent(node, event)));

  return {
    place(conference) {
      const known = places.get(conference);
      if (known?.up === true) return known;
      const best = nodes.filter(({ up }) => up).toSorted((a, b) => a.load - b.load)[0];
      if (best === undefined) {
        places.delete(conference);
        return null;
      }
      places.set(conference, best);
      return best;
    },
    open(session, { node, rtcId, kind, streamId }) {
      const id = deps.newId();
      const connection: Connection = { id, node, session, rtcId, kind, streamId, ready: false };
      byId.set(id, connection);
      const own = bySession.get(session) ?? new Map<string, Connection>();
      bySession.set(session, own.set(rtcId, connection));
      byStream.set(streamId, (byStream.get(streamId) ?? new Set()).add(connection));
      return connection;
    },
    find: (session, rtcId) => bySession.get(session)?.get(rtcId),
    of,
    isOpen,
    countOf: (session) => bySession.get(session)?.size ?? 0,
    close,
    closeSession(session) {
      for (const connection of bySession.get(session)?.values() ?? []) close(connection);
    },
    closeStream(streamId) {
      orphans.get(streamId)?.cancel();
      orphans.delete(streamId);
      for (const connection of of(streamId)) close(connection);
    },
    closeRoom(conference) {
      for (const connection of byId.values()) {
        if (connection.session.conference === conference) close(connection);
      }
      for (const id of conference.streams.keys()) {
        orphans.get(id)?.cancel();
        orphans.delete(id);
      }
      places.get(conference)?.closeConference(conference.spec.id);
      places.delete(conference);
    },
    found(stream) {
      orphans.get(stream.id)?.cancel();
      orphans.delete(stream.id);
    },
    request: (connection, work) =>
      new Promise((resolve, reject) => {
        const late = clock.setTimeout(
          () => reject(new AppError("conference.media-unavailable")),
          MEDIA_TIMEOUT,
        );
        work
          .then((done) => {
            if (!isOpen(connection)) connection.node.closeConnection(connection.id);
            resolve(done);
          }, reject)
          .finally(() => late.cancel());
      }),
    get size() {
      return byId.size;
    },
    stop() {
      for (const stop of stops) stop();
      for (const timer of orphans.values()) timer.cancel();
      orphans.clear();
      for (const connection of byId.values()) close(connection);
      places.clear();
    },
  };
}
