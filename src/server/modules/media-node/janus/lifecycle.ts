/** Opens and drops the connections of a Janus node, and passes on what Janus says about them. */
import { AppError } from "../../../../shared/errors.ts";
import type { NodeEvent, NodeStats } from "../contracts.ts";
import {
  add,
  type Connection,
  type Connections,
  forgetAll,
  isUsed,
  remove,
  statsOf,
  subscribersOf,
} from "./connections.ts";
import type { Handles } from "./handles.ts";
import type { Rooms } from "./rooms.ts";
import { type JanusMessage, unavailable } from "./socket.ts";

export const invalid = (reason: string): AppError =>
  new AppError("conference.invalid", { details: { reason } });

export interface Lifecycle {
  /**
   * Attaches a handle and lets `use` negotiate on it. `use` calls `enter` as soon as Janus knows the connection. When `use` rejects,
   * nothing of the connection remains.
   */
  open<T>(
    connection: Pick<Connection, "id" | "conferenceId">,
    use: (handle: number, enter: (c: Connection) => void) => Promise<T>,
  ): Promise<T>;
  /** @param state what the conference learns; null: nothing, because the conference itself closes the connection */
  drop(id: string, state: "closed" | "failed" | null): void;
  /** Takes an event of Janus. */
  hear(message: JanusMessage): void;
  /** Forgets all connections, because the Janus server is lost. */
  lost(): void;
}

export function createLifecycle(deps: {
  readonly connections: Connections;
  readonly handles: Pick<Handles, "attach" | "detach">;
  readonly rooms: Pick<Rooms, "destroy" | "forget">;
  /** Whether a connection can be opened now. */
  readonly up: () => boolean;
  readonly emit: (event: NodeEvent) => void;
  readonly onStats: (stats: NodeStats) => void;
}): Lifecycle {
  const { connections, handles, rooms, emit } = deps;
  const { byId, byHandle, opening, early } = connections;
  const counted = (): void => deps.onStats(statsOf(connections));

  function settleWaiting(c: Connection, live: boolean): void {
    for (const done of c.waiting) done(live);
  }

  function drop(id: string, state: "closed" | "failed" | null): void {
    const c = byId.get(id);
    if (c === undefined) return;
    remove(connections, c);
    handles.detach(c.handle);
    settleWaiting(c, false);
    if (state !== null) emit({ t: "state", id, state });
    if (c.sub === null) {
      for (const subscriber of subscribersOf(connections, id)) drop(subscriber.id, "closed");
    }
    if (!isUsed(connections, c.conferenceId)) rooms.destroy(c.conferenceId);
    counted();
  }

  function connected(c: Connection): void {
    c.live = true;
    settleWaiting(c, true);
    emit({ t: "state", id: c.id, state: "connected" });
    if (c.sub !== null && c.sub.videoMid !== null && c.sub.video) {
      emit({ t: "layer", id: c.id, layer: c.sub.layer });
    }
    counted();
  }

  function trickled({ id }: Connection, message: JanusMessage): void {
    const found = message["candidate"] as { candidate?: unknown; sdpMid?: unknown } | undefined;
    if (typeof found?.candidate !== "string") return;
    const sdpMid = typeof found.sdpMid === "string" ? found.sdpMid : "0";
    emit({ t: "candidates", id, cands: [{ candidate: found.candidate, sdpMid }] });
  }

  function hear(message: JanusMessage): void {
    const { janus, sender } = message;
    if (sender === undefined) return;
    const c = byHandle.get(sender);
    if (c === undefined) early.get(sender)?.push(message);
    else if (janus === "webrtcup") connected(c);
    else if (janus === "hangup") drop(c.id, "failed");
    else if (janus === "detached") drop(c.id, "closed");
    else if (janus === "slowlink") connections.slow.add(c.id);
    else if (janus === "trickle") trickled(c, message);
  }

  return {
    drop,
    hear,
    async open({ id, conferenceId }, use) {
      if (!deps.up()) throw unavailable("the media server is not connected");
      if (byId.has(id) || opening.has(id)) throw invalid("the connection is there already");
      opening.set(id, conferenceId);
      let handle: number | null = null;
      try {
        handle = await handles.attach();
        early.set(handle, []);
        return await use(handle, (c) => {
          if (opening.get(id) !== conferenceId) throw invalid("the connection was closed");
          add(connections, c);
          for (const message of early.get(c.handle) ?? []) hear(message);
        });
      } catch (error) {
        byId.delete(id);
        if (handle !== null) {
          byHandle.delete(handle);
          handles.detach(handle);
        }
        throw AppError.from(error, "conference.invalid");
      } finally {
        if (handle !== null) early.delete(handle);
        opening.delete(id);
        counted();
      }
    },
    lost() {
      for (const c of byId.values()) settleWaiting(c, false);
      forgetAll(connections);
      rooms.forget();
      counted();
    },
  };
}
