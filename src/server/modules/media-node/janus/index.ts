/**
 * A Janus server as a media node: one videoroom per conference, one handle per connection. The videoroom plugin must be
 * configured for string ids. A layer is a video track of the publisher; a subscriber changes layers without a new offer.
 */
import type { Logger } from "pino";
import type { Clock } from "../../../base/module.ts";
import type { MediaNode, NodeEvent, NodeStats } from "../contracts.ts";
import { createListeners } from "../listeners.ts";
import { readCandidate } from "../sdp/parse.ts";
import { isSubscriber, noConnections, statsOf } from "./connections.ts";
import { createHandles } from "./handles.ts";
import { createLifecycle, invalid } from "./lifecycle.ts";
import { createPublishing } from "./publishing.ts";
import { createRooms } from "./rooms.ts";
import { createJanusSocket, unavailable } from "./socket.ts";
import { createSubscribing } from "./subscribing.ts";

export interface JanusNode extends MediaNode {
  readonly kind: "janus";
}

/** @param deps.capacity connections that count as full load */
export function createJanusNode(deps: {
  readonly name: string;
  readonly url: string;
  readonly secret?: string | undefined;
  readonly capacity: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onStats: (stats: NodeStats) => void;
}): JanusNode {
  const { clock, log, onStats } = deps;
  const { emit, add: onEvent } = createListeners<NodeEvent>(log);
  const connections = noConnections();
  let closed = false;

  const socket = createJanusSocket({
    ...deps,
    onUp() {
      log.info({ node: deps.name }, "the media server is connected");
      emit({ t: "up" });
    },
    onDown(why) {
      lifecycle.lost();
      if (closed) return;
      log.error({ node: deps.name, why }, "the media server is lost");
      emit({ t: "down" });
    },
    onEvent: (message) => lifecycle.hear(message),
  });
  const handles = createHandles(socket);
  const { message } = handles;
  const rooms = createRooms(handles);
  const up = (): boolean => socket.up && !closed;
  const lifecycle = createLifecycle({ connections, handles, rooms, up, emit, onStats });
  const publishing = createPublishing({
    node: deps.name,
    log,
    connections,
    lifecycle,
    rooms,
    message,
  });
  const subscribing = createSubscribing({ clock, log, connections, lifecycle, message, up, emit });

  return {
    name: deps.name,
    kind: "janus",
    get up() {
      return up();
    },
    get load() {
      return connections.byId.size / deps.capacity;
    },
    publish: publishing.publish,
    hold: publishing.hold,
    subscribe: subscribing.subscribe,
    answer: subscribing.answer,
    select: subscribing.select,

    candidates(id, cands) {
      const c = connections.byId.get(id);
      if (c === undefined) return;
      for (const { candidate, sdpMid, sdpMLineIndex } of cands) {
        const read = readCandidate(candidate);
        if (read === null) continue;
        // A subscriber whose offer was answered has other sections than Janus. All are in one bundle.
        const own = c.sub?.plan == null;
        const one = {
          candidate: read,
          sdpMid: own ? (sdpMid ?? "0") : (c.sub?.mids[0] ?? "0"),
          sdpMLineIndex: own ? (sdpMLineIndex ?? 0) : 0,
        };
        socket.send({ janus: "trickle", handle_id: c.handle, candidate: one });
      }
    },
    async restart(id, offer) {
      if (!up()) throw unavailable("the media server is not connected");
      const c = connections.byId.get(id);
      if (c === undefined) throw invalid("the connection is not there");
      return isSubscriber(c) ? subscribing.restart(c, offer) : publishing.restart(c, offer);
    },
    closeConnection(id) {
      connections.opening.delete(id);
      lifecycle.drop(id, null);
    },
    closeConference(conferenceId) {
      const { opening, byId } = connections;
      for (const [id, openedFor] of opening) if (openedFor === conferenceId) opening.delete(id);
      for (const c of byId.values())
        if (c.conferenceId === conferenceId) lifecycle.drop(c.id, null);
    },
    stats: () => Promise.resolve(statsOf(connections)),
    onEvent,
    close() {
      if (!closed) {
        for (const id of connections.byId.keys()) lifecycle.drop(id, null);
        closed = true;
        subscribing.stop();
        socket.close();
      }
      return Promise.resolve();
    },
  };
}
