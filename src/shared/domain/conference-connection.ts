/**
 * The connection of one stream of a conference as a table, the same for published and subscribed streams. After a loss it first
 * restarts ICE; then it is replaced, a limited number of times.
 */
import type {
  CONFERENCE_CONNECTION_STATES,
  ConferenceConnectionState,
} from "./conference-states.ts";
import type { Guards, MachineTable } from "./machine.ts";

export type ConferenceConnectionEvent = {
  readonly type:
    | "want"
    | "stop"
    | "up"
    /** A step of the negotiation came through: a description, or ICE began to check. */
    | "progress"
    | "down"
    | "lost"
    /** Nothing arrives, though ICE has not failed. */
    | "silent"
    /** The own network changed, or ICE found another path in it: what was connected over it leads nowhere. */
    | "changed"
    /** The session was lost and is there again. */
    | "resumed"
    | "refused"
    /** The media node, or the tab that has the media, changed. */
    | "moved"
    /** The codec must change. */
    | "codec"
    /** The media node reports that it lost the connection. */
    | "gone"
    /** A tab has kept the connection since an earlier core. */
    | "adopt"
    | "tick";
};
export type ConferenceConnectionGuard = "mayRebuild" | "reachable";
export type ConferenceConnectionEffect =
  | "open"
  | "close"
  | "askRestart"
  | "countRebuild"
  | "forgetRebuilds"
  | "buildTimer"
  | "weakTimer"
  | "restartTimer"
  | "restartWaitTimer"
  | "rebuildTimer"
  | "codecTimer"
  | "retryTimer"
  | "clearTimer"
  | "tellUp"
  | "tellFailed";

type State = (typeof CONFERENCE_CONNECTION_STATES)[number];
const ALIVE: readonly State[] = [
  "connecting",
  "connected",
  "weak",
  "restarting",
  "rebuilding",
  "failed",
];

export const conferenceConnectionTable: MachineTable<
  ConferenceConnectionState,
  ConferenceConnectionEvent["type"],
  ConferenceConnectionGuard,
  ConferenceConnectionEffect
> = {
  name: "conference-connection",
  initial: "none",
  states: ["none", "connecting", "connected", "weak", "restarting", "rebuilding", "failed"],
  rules: [
    { from: "*", on: "stop", to: "none", do: ["clearTimer", "close"] },
    {
      from: ["none", "failed"],
      on: "want",
      to: "connecting",
      do: ["forgetRebuilds", "open", "buildTimer"],
    },
    { from: ["none"], on: "adopt", to: "connected", do: [] },
    {
      from: ALIVE,
      on: "moved",
      to: "connecting",
      do: ["forgetRebuilds", "close", "open", "buildTimer"],
      note: "after a takeover, a restart of the core or the end of the node, the old connection cannot be used",
    },
    {
      from: ALIVE,
      on: "codec",
      to: "rebuilding",
      do: ["close", "codecTimer"],
      note: "end reason 21: switch of the video codec",
    },
    {
      from: ["connecting", "connected", "weak", "restarting"],
      on: "gone",
      when: ["mayRebuild"],
      to: "connecting",
      do: ["countRebuild", "close", "open", "buildTimer"],
      note: "`lost`: the node notices the loss before the tab does",
    },
    {
      from: ["connecting", "connected", "weak", "restarting"],
      on: "gone",
      to: "failed",
      do: ["clearTimer", "close", "tellFailed", "retryTimer"],
    },
    {
      from: ["connecting"],
      on: "progress",
      to: "same",
      do: ["buildTimer"],
      note: "a machine or network that is slow is not one that leads nowhere",
    },
    { from: ["restarting"], on: "progress", to: "same", do: ["restartWaitTimer"] },
    {
      from: ["connecting", "weak", "restarting", "rebuilding"],
      on: "up",
      to: "connected",
      do: ["clearTimer", "tellUp"],
    },
    { from: ["connected"], on: "up", to: "connected", do: ["clearTimer"] },
    { from: ["connected"], on: "down", to: "connected", do: ["weakTimer"] },
    { from: ["connected"], on: "tick", to: "weak", do: ["restartTimer"] },
    {
      from: ["connected"],
      on: "silent",
      to: "weak",
      do: ["restartTimer"],
      note: "the tab notices a silence seconds before the browser's ICE does",
    },
    {
      from: ["connected", "weak"],
      on: "changed",
      to: "restarting",
      do: ["askRestart", "restartWaitTimer"],
    },
    { from: ["weak"], on: "resumed", to: "restarting", do: ["askRestart", "restartWaitTimer"] },
    {
      from: ["restarting"],
      on: "resumed",
      to: "same",
      do: ["askRestart", "restartWaitTimer"],
      note: "the request or its answer was lost with the session",
    },
    { from: ["weak"], on: "tick", when: ["!reachable"], to: "weak", do: ["restartTimer"] },
    { from: ["weak"], on: "tick", to: "restarting", do: ["askRestart", "restartWaitTimer"] },
    {
      from: ["connected", "weak"],
      on: "lost",
      when: ["reachable"],
      to: "restarting",
      do: ["askRestart", "restartWaitTimer"],
    },
    { from: ["connected", "weak"], on: "lost", to: "weak", do: ["restartTimer"] },
    {
      from: ["connecting", "restarting"],
      on: "tick",
      when: ["!reachable"],
      to: "same",
      do: ["buildTimer"],
      note: "without the server nothing can be built, so this is not a failure of the connection",
    },
    {
      from: ["restarting"],
      on: "refused",
      when: ["mayRebuild"],
      to: "connecting",
      do: ["countRebuild", "close", "open", "buildTimer"],
      note: "the node cannot restart ICE: the connection is rebuilt at once",
    },
    {
      from: ["connecting", "restarting"],
      on: "lost",
      when: ["mayRebuild"],
      to: "rebuilding",
      do: ["countRebuild", "close", "rebuildTimer"],
    },
    {
      from: ["connecting", "restarting"],
      on: "tick",
      when: ["mayRebuild"],
      to: "rebuilding",
      do: ["countRebuild", "close", "rebuildTimer"],
    },
    {
      from: ["connecting"],
      on: "refused",
      when: ["mayRebuild"],
      to: "rebuilding",
      do: ["countRebuild", "close", "rebuildTimer"],
    },
    {
      from: ["connecting", "restarting"],
      on: "lost",
      to: "failed",
      do: ["clearTimer", "close", "tellFailed", "retryTimer"],
    },
    {
      from: ["connecting", "restarting"],
      on: "tick",
      to: "failed",
      do: ["clearTimer", "close", "tellFailed", "retryTimer"],
    },
    {
      from: ["connecting", "restarting"],
      on: "refused",
      to: "failed",
      do: ["clearTimer", "close", "tellFailed", "retryTimer"],
    },
    { from: ["rebuilding"], on: "tick", when: ["!reachable"], to: "same", do: ["rebuildTimer"] },
    { from: ["rebuilding"], on: "tick", to: "connecting", do: ["open", "buildTimer"] },
    { from: ["failed"], on: "tick", when: ["!reachable"], to: "same", do: ["retryTimer"] },
    {
      from: ["failed"],
      on: "tick",
      to: "connecting",
      do: ["forgetRebuilds", "open", "buildTimer"],
      note: "as long as the stream exists, it is tried again",
    },
  ],
};

export interface ConferenceConnectionContext {
  readonly rebuilds: number;
  readonly maxRebuilds: number;
  readonly reachable: boolean;
}
export const conferenceConnectionGuards: Guards<
  ConferenceConnectionGuard,
  ConferenceConnectionContext,
  ConferenceConnectionEvent
> = {
  mayRebuild: ({ rebuilds, maxRebuilds }) => rebuilds < maxRebuilds,
  reachable: ({ reachable }) => reachable,
};
