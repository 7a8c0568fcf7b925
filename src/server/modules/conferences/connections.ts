/**
 * Connections of members to media nodes: which node carries which conference, which connections are open, and the events of the
 * nodes. A connection is registered before its node has answered, because the node's candidates may arrive first.
 */
import { OP } from "../../../shared/protocol/signalling.ts";
import {
  type ConferenceStream,
  type Layer,
  type VideoCodec,
} from "../../../shared/protocol/confr-model.ts";
import { CONFR_END, writeCandidates } from "../../../shared/protocol/confr-signalling.ts";
import { AppError } from "../../../shared/errors.ts";
import type { MediaNode, NodeEvent } from "../media-node/contracts.ts";
import type { Clock } from "../../base/module.ts";
import { sendToMember } from "./state.ts";
import { removeStream } from "./streams.ts";
import type { ConferenceState, Session, StreamState, Timer } from "./types.ts";

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
  /** Certificate of the client's side. Another one under the same rtcId belongs to another connection object of the client. */
  readonly fingerprint: string;
  /** Names the client's connection object; events carry it back. */
  cctx: string | undefined;
  /** The layer that a subscriber asked for last. */
  layer: Layer;
  /** Whether the node has answered and the connection counts. */
  ready: boolean;
}

/** The certificate in a description; "" for none. */
export const fingerprintOf = (sdp: string): string =>
  (/^a=fingerprint:(.*?)\r?$/m.exec(sdp)?.[1] ?? "").toLowerCase();

/**
 * The node with the least load.
 *
 * @param isCall group calls go by the cloud where there is one; nothing else does
 * @returns undefined when none is up
 */
export function bestNode(nodes: readonly MediaNode[], isCall: boolean): MediaNode | undefined {
  const cloud = nodes.filter(({ kind }) => kind === "cloud");
  const others = nodes.filter(({ kind }) => kind !== "cloud");
  const fit = isCall && cloud.length > 0 ? cloud : others;
  return fit.filter(({ up }) => up).toSorted((a, b) => a.load - b.load)[0];
}

const CODECS: readonly VideoCodec[] = ["VP8", "H264"];

export interface Connections {
  /**
   * The node of this conference, chosen by load at the first call.
   *
   * @returns null when no node is up
   */
  place(conference: ConferenceState): MediaNode | null;
  open(
    session: Session,
    connection: Omit<Connection, "id" | "session" | "ready" | "layer">,
  ): Connection;
  find(session: Session, rtcId: string): Connection | undefined;
  /** The connections of one stream. */
  connectionsOf(streamId: string): readonly Connection[];
  /** Whether it was not closed, taken over or lost since it was opened. */
  isOpen(connection: Connection): boolean;
  countOf(session: Session): number;
  /** Idempotent. Sends no event. */
  close(connection: Connection): void;
  closeSession(session: Session): void;
  closeStream(streamId: string): void;
  /**
   * Closes the publisher's connection. The stream stays listed for `ms`, waiting to be published again, then `gone` is called.
   * Subscribers keep their connections: they change over when the stream is published again, as others do.
   */
  abandon(stream: StreamState, ms: number, gone: () => void): void;
  closeConference(conference: ConferenceState): void;
  /** The stream is published again, so its timer ends. */
  found(stream: Pick<ConferenceStream, "id">): void;
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
  /** Lost connections whose members are asked to build them again as soon as a node is up. */
  const unasked: Connection[] = [];
  /** How often a member lost the connection that publishes a stream. */
  const losses = new WeakMap<Session, Map<string, number>>();

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

  /**
   * The order of codecs that makes a client build a connection again. Clients that do not know `lost` take it for a switch of the codec,
   * and follow only when its first codec is not the one that they use: for a subscription that of the stream, for a publication the
   * first of the last such order.
   */
  function codecsAfterLoss({ session, streamId, kind }: Connection): VideoCodec[] {
    const current = session.conference.streams.get(streamId)?.info.vcodes ?? [];
    const order = [...new Set([...current, ...CODECS])];
    if (kind === "sub") return order.toReversed();
    const counts = losses.get(session) ?? new Map<string, number>();
    losses.set(session, counts);
    const count = (counts.get(streamId) ?? 0) + 1;
    counts.set(streamId, count);
    return count % 2 === 1 ? order.toReversed() : order;
  }

  function abandon(stream: StreamState, ms: number, gone: () => void): void {
    const { id } = stream.info;
    stream.abandoned = true;
    for (const connection of connectionsOf(id)) if (connection.kind === "pub") close(connection);
    orphans.get(id)?.cancel();
    orphans.set(
      id,
      clock.setTimeout(() => {
        orphans.delete(id);
        gone();
      }, ms),
    );
  }

  /** Asks a member to build a connection again. Without a node it would be refused, and other clients give up then. */
  function askAgain(connection: Connection): void {
    const { session, rtcId, kind, streamId } = connection;
    if (bestNode(nodes, session.conference.spec.groupCall === true) === undefined) {
      unasked.push(connection);
      return;
    }
    const back = session.conference.streams.get(streamId)?.abandoned === false && kind === "pub";
    if (session.gone || back || bySession.get(session)?.has(rtcId) === true) return;
    sendToMember(session, {
      op: OP.terminate,
      sessId: session.sessId,
      rtcId,
      endReason: CONFR_END.switchCodec,
      useVCodes: codecsAfterLoss(connection),
      lost: true,
    });
  }

  /** Drops a connection and has it built again: by the member, or by the news that its stream is published again. */
  function lose(connection: Connection): void {
    if (!forget(connection)) return;
    const { node, id, session, kind, streamId, ready } = connection;
    if (node.up) node.closeConnection(id);
    const { conference } = session;
    const stream = conference.streams.get(streamId);
    if (kind === "pub" && ready && stream !== undefined) {
      abandon(stream, conference.deps.timings.orphan, () => {
        removeStream(conference, streamId, "ordered");
      });
      for (const other of connectionsOf(streamId)) if (other.kind === "sub") lose(other);
    }
    // A subscriber that asked earlier would be refused.
    if (kind === "pub" || stream?.abandoned !== true) askAgain(connection);
  }

  const isOpen = (connection: Connection): boolean => byId.get(connection.id) === connection;
  const connectionsOf = (streamId: string): readonly Connection[] => [
    ...(byStream.get(streamId) ?? []),
  ];

  function onEvent(node: MediaNode, event: NodeEvent): void {
    if (event.t === "down") {
      for (const [conference, at] of places) if (at === node) places.delete(conference);
      const lost = [...byId.values()].filter((connection) => connection.node === node);
      for (const kind of ["pub", "sub"]) {
        for (const connection of lost) if (connection.kind === kind) lose(connection);
      }
      return;
    }
    if (event.t === "up") {
      for (const connection of unasked.splice(0)) askAgain(connection);
      return;
    }
    const connection = byId.get(event.id);
    if (connection?.node !== node) return;
    if (event.t === "state" && (event.state === "failed" || event.state === "closed")) {
      lose(connection);
    } else if (event.t === "candidates") {
      const { session, rtcId, cctx } = connection;
      const cands = writeCandidates(event.cands);
      sendToMember(session, { op: OP.candidates, sessId: session.sessId, rtcId, cands, cctx });
    }
  }
  const stops = nodes.map((node) => node.onEvent((event) => onEvent(node, event)));

  return {
    place(conference) {
      const known = places.get(conference);
      if (known?.up === true) return known;
      const best = bestNode(nodes, conference.spec.groupCall === true);
      if (best === undefined) {
        places.delete(conference);
        return null;
      }
      places.set(conference, best);
      return best;
    },
    open(session, made) {
      const id = deps.newId();
      const { rtcId, streamId } = made;
      const connection: Connection = { ...made, id, session, layer: "high", ready: false };
      byId.set(id, connection);
      const own = bySession.get(session) ?? new Map<string, Connection>();
      bySession.set(session, own.set(rtcId, connection));
      byStream.set(streamId, (byStream.get(streamId) ?? new Set()).add(connection));
      return connection;
    },
    find: (session, rtcId) => bySession.get(session)?.get(rtcId),
    connectionsOf,
    isOpen,
    countOf: (session) => bySession.get(session)?.size ?? 0,
    close,
    closeSession(session) {
      for (const connection of bySession.get(session)?.values() ?? []) close(connection);
    },
    closeStream(streamId) {
      orphans.get(streamId)?.cancel();
      orphans.delete(streamId);
      for (const connection of connectionsOf(streamId)) close(connection);
    },
    abandon,
    closeConference(conference) {
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
      unasked.length = 0;
      for (const connection of byId.values()) close(connection);
      places.clear();
    },
  };
}
