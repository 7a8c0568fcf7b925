/** The states of a member's signalling session (docs/conferences.md#session): connecting, inside, lost for a while, leaving. */
import type { ConferenceState } from "./conference-states.ts";
import type { Guards, MachineTable } from "./machine.ts";

export type ConferenceSessionEvent = {
  readonly type:
    | "join"
    | "entered"
    | "socketLost"
    | "refused"
    | "gaveUp"
    | "leave"
    | "left"
    /** Kicked, closed for all, replaced by another device, or logged out. */
    | "ended"
    /** An earlier core was in the conference. */
    | "restore";
};
export type ConferenceSessionEffect =
  | "openSocket"
  | "sayJoined"
  | "sayFailed"
  | "sendLeave"
  | "stopMedia"
  | "closeSocket"
  | "tellExit";

export const conferenceSessionTable: MachineTable<
  ConferenceState,
  ConferenceSessionEvent["type"],
  never,
  ConferenceSessionEffect
> = {
  name: "conference-session",
  initial: "idle",
  states: ["idle", "connecting", "joined", "reconnecting", "leaving"],
  rules: [
    { from: ["idle"], on: "join", to: "connecting", do: ["openSocket"] },
    { from: ["idle"], on: "restore", to: "reconnecting", do: ["openSocket"] },
    { from: ["connecting"], on: "entered", to: "joined", do: ["sayJoined"] },
    { from: ["reconnecting"], on: "entered", to: "joined", do: [] },
    { from: ["joined"], on: "socketLost", to: "reconnecting", do: [] },
    {
      from: ["connecting"],
      on: "refused",
      to: "idle",
      do: ["sayFailed", "stopMedia", "closeSocket", "tellExit"],
    },
    {
      from: ["connecting"],
      on: "gaveUp",
      to: "idle",
      do: ["sayFailed", "stopMedia", "closeSocket", "tellExit"],
    },
    {
      from: ["reconnecting"],
      on: "refused",
      to: "idle",
      do: ["stopMedia", "closeSocket", "tellExit"],
    },
    {
      from: ["reconnecting"],
      on: "gaveUp",
      to: "idle",
      do: ["stopMedia", "closeSocket", "tellExit"],
    },
    {
      from: ["connecting", "joined", "reconnecting"],
      on: "leave",
      to: "leaving",
      do: ["sayFailed", "stopMedia", "sendLeave"],
    },
    { from: ["leaving"], on: "left", to: "idle", do: ["closeSocket", "tellExit"] },
    {
      from: ["connecting", "joined", "reconnecting", "leaving"],
      on: "ended",
      to: "idle",
      do: ["sayFailed", "stopMedia", "closeSocket", "tellExit"],
    },
  ],
};
export const conferenceSessionGuards: Guards<never, null, ConferenceSessionEvent> = {};
