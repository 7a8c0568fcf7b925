/** Combines conferences and their connections: everything that works without database, sockets and logins. */
import type { MediaNode } from "../media-node/contracts.ts";
import type { Clock } from "../../base/module.ts";
import { type Connections, createConnections } from "./connections.ts";
import { heldOf } from "./holding.ts";
import { createMediaOps, type MediaOps } from "./media-ops.ts";
import { type OpenConferences, createOpenConferences } from "./open-conferences.ts";
import type { SignRole } from "./role-tokens.ts";
import {
  CONFERENCE_TIMINGS,
  type ConferenceDeps,
  type ConferenceTimings,
  type Kept,
} from "./types.ts";

export interface Engine {
  readonly conferences: OpenConferences;
  readonly connections: Connections;
  readonly media: MediaOps;
  /** Idempotent. */
  stop(): void;
}

export function createEngine(deps: {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly nodes: readonly MediaNode[];
  readonly roleToken: SignRole;
  readonly onKept: (conferenceId: string, kept: Kept) => void;
  /** Called once per conference. */
  readonly onEnded: (conferenceId: string, reason: number) => void;
  readonly onMembers?: ConferenceDeps["onMembers"];
  readonly onError: (error: unknown, what: string) => void;
  readonly timings?: ConferenceTimings;
}): Engine {
  const { clock, newId, nodes } = deps;
  const connections = createConnections({ nodes, clock, newId });
  const conferences = createOpenConferences({
    clock,
    newId,
    timings: deps.timings ?? CONFERENCE_TIMINGS,
    roleToken: deps.roleToken,
    onSessionGone: connections.closeSession,
    onStreamHeld: ({ info }) => {
      for (const { kind, ready, node, id } of connections.connectionsOf(info.id)) {
        if (kind === "pub" && ready) node.hold(id, heldOf(info));
      }
    },
    onStreamGone: ({ info }) => connections.closeStream(info.id),
    onKept: deps.onKept,
    onMembers: deps.onMembers,
    onEnded(conferenceId, reason) {
      const conference = conferences.get(conferenceId);
      if (conference !== undefined) connections.closeConference(conference);
      deps.onEnded(conferenceId, reason);
    },
  });
  return {
    conferences,
    connections,
    media: createMediaOps({ connections, onError: deps.onError }),
    stop() {
      conferences.stop();
      connections.stop();
    },
  };
}
