/**
 * All conferences of this process that have, or recently had, members inside. As with one-to-one calls, all members of a
 * conference are at one process, its home (processes/).
 */
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import { closeSockets } from "./membership.ts";
import { createConferenceState } from "./state.ts";
import type { ConferenceSpec, Kept, ConferenceDeps, ConferenceState } from "./types.ts";

export interface OpenConferences {
  get(confrId: string): ConferenceState | undefined;
  /** The room of a conference that the database lists as open; created when nobody is inside. */
  open(spec: ConferenceSpec, kept: Kept): ConferenceState;
  /** Forgets a room that was opened for a member who was then refused. */
  discard(room: ConferenceState): void;
  /** Number of connections of this person over all conferences except the room `except`. */
  linksOf(memName: string, except: string): number;
  readonly memberCount: number;
  /** Open conferences with members inside. */
  activeIds(): string[];
  /** Idempotent: cancels all timers and closes all connections; ends no conference. */
  stop(): void;
}

export function createOpenConferences(deps: ConferenceDeps): OpenConferences {
  const rooms = new Map<string, ConferenceState>();
  return {
    get: (confrId) => rooms.get(confrId),
    open(spec, kept) {
      let room = rooms.get(spec.id);
      if (room === undefined) {
        room = createConferenceState(spec, kept, {
          ...deps,
          onEnded(confrId, reason) {
            // Later requests are answered from the database.
            deps.clock.setTimeout(() => {
              if (rooms.get(confrId) === room) rooms.delete(confrId);
            }, deps.timings.close);
            deps.onEnded(confrId, reason);
          },
        });
        rooms.set(spec.id, room);
      }
      return room;
    },
    discard(room) {
      const unused = room.sessions.size === 0 && room.timer === null && !room.ended;
      if (unused && rooms.get(room.spec.id) === room) rooms.delete(room.spec.id);
    },
    linksOf(memName, except) {
      let count = 0;
      for (const room of rooms.values()) {
        if (room.spec.id === except) continue;
        for (const { member, link } of room.sessions.values()) {
          if (member.memName === memName && link !== null) count += 1;
        }
      }
      return count;
    },
    get memberCount() {
      let count = 0;
      for (const room of rooms.values()) count += room.sessions.size;
      return count;
    },
    activeIds: () =>
      [...rooms.values()].filter((r) => !r.ended && r.sessions.size > 0).map((r) => r.spec.id),
    stop() {
      for (const room of rooms.values())
        closeSockets(room, WS_CLOSE.shutdown, "server is stopping");
      rooms.clear();
    },
  };
}
