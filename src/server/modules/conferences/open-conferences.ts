/**
 * All conferences of this process that have, or recently had, members inside. As with calls of two, all members of a conference
 * are at one process, its home (docs/server.md#several-processes).
 */
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import { closeSockets } from "./membership.ts";
import { createConferenceState } from "./state.ts";
import type { ConferenceSpec, Kept, ConferenceDeps, ConferenceState, Session } from "./types.ts";

export interface OpenConferences {
  get(conferenceId: string): ConferenceState | undefined;
  /** The state of a conference that the database lists as open; made when this process has none yet. */
  open(spec: ConferenceSpec, kept: Kept): ConferenceState;
  /** Forgets a conference that was opened for a member who was then refused. */
  discard(conference: ConferenceState): void;
  /** Number of open sockets of this person over all conferences but `except`. */
  countSockets(memName: string, except: string): number;
  /** The memberships of this person, or of everybody, in all open conferences. */
  sessions(memName: string | null): Session[];
  readonly memberCount: number;
  /** Ids of the conferences that go on and have members inside. */
  activeIds(): string[];
  /** Idempotent: cancels all timers and closes all sockets; ends no conference. */
  stop(): void;
}

export function createOpenConferences(deps: ConferenceDeps): OpenConferences {
  const conferences = new Map<string, ConferenceState>();
  return {
    get: (conferenceId) => conferences.get(conferenceId),
    open(spec, kept) {
      let conference = conferences.get(spec.id);
      if (conference === undefined) {
        conference = createConferenceState(spec, kept, {
          ...deps,
          onEnded(conferenceId, reason) {
            // Later requests are answered from the database.
            deps.clock.setTimeout(() => {
              if (conferences.get(conferenceId) === conference) conferences.delete(conferenceId);
            }, deps.timings.close);
            deps.onEnded(conferenceId, reason);
          },
        });
        conferences.set(spec.id, conference);
      }
      return conference;
    },
    discard(conference) {
      const unused =
        conference.sessions.size === 0 && conference.timer === null && !conference.ended;
      if (unused && conferences.get(conference.spec.id) === conference)
        conferences.delete(conference.spec.id);
    },
    countSockets(memName, except) {
      let count = 0;
      for (const conference of conferences.values()) {
        if (conference.spec.id === except) continue;
        for (const { member, socket } of conference.sessions.values()) {
          if (member.memName === memName && socket !== null) count += 1;
        }
      }
      return count;
    },
    sessions: (memName) =>
      [...conferences.values()]
        .filter(({ ended }) => !ended)
        .flatMap((conference) => [...conference.sessions.values()])
        .filter(({ member }) => memName === null || member.memName === memName),
    get memberCount() {
      let count = 0;
      for (const conference of conferences.values()) count += conference.sessions.size;
      return count;
    },
    activeIds: () =>
      [...conferences.values()]
        .filter((r) => !r.ended && r.sessions.size > 0)
        .map((r) => r.spec.id),
    stop() {
      for (const conference of conferences.values())
        closeSockets(conference, WS_CLOSE.shutdown, "server is stopping");
      conferences.clear();
    },
  };
}
