/**
 * How a call of two becomes a group call (docs/calls.md#adding-people), as one table for both sides. The side on which a person adds
 * people asks, makes the conference and names it; the other side follows. The call of two is closed once both sides receive sound and
 * picture through the conference. The core interprets the effects.
 */
import type { ErrorCode } from "../errors.ts";
import { type Guards, type MachineTable, type Rule, type Step, step } from "./machine.ts";

/** ms, docs/calls.md#adding-people */
export const GROWTH_TIMEOUTS = {
  /** The other side must answer. */
  ask: 5_000,
  /** Both sides must receive sound and picture through the conference. */
  move: 30_000,
  /** Both are in the conference, but one side sends no media to wait for. */
  silent: 5_000,
  /** The picture has come, and no tile shows it: the window may be minimised, or its tab hidden. */
  unseen: 1_500,
} as const;

export const GROWTH_STATES = [
  "idle",
  "asking",
  "making",
  "agreed",
  "moving",
  "ownUp",
  "peerUp",
  "bothUp",
] as const;
export type GrowthState = (typeof GROWTH_STATES)[number];

export type GrowthEvent =
  | { readonly type: "add"; readonly people: readonly string[] }
  /** The conference, as the other side names it. */
  | { readonly type: "rxConference"; readonly channel: string; readonly callId: string }
  /** This side could not make the conference or enter it, or left it. */
  | { readonly type: "conferenceFailed"; readonly code: ErrorCode }
  | {
      readonly type:
        | "rxAsk"
        | "rxAgree"
        | "rxRefuse"
        /** The other side receives sound and picture through the conference. */
        | "rxUp"
        /** The other side gave up. */
        | "rxStop"
        /** The other side could not be asked. */
        | "askFailed"
        /** The conference exists. */
        | "made"
        /** This side receives sound and picture through the conference. */
        | "up"
        /** The other side received the report. */
        | "upHeard"
        | "timeout"
        /** The person hung up. */
        | "hangup"
        /** The call of two is over for another reason. */
        | "callEnded";
    };
export type GrowthEventType = GrowthEvent["type"];

export type GrowthGuard =
  /** This side can follow: the call is on, and a tab carries its media. */
  | "able"
  /** This side called. When both ask at once, the other side yields. */
  | "caller"
  /** The other side is in the conference. */
  | "peerInside"
  /** The other side knows that this side receives sound and picture through the conference. */
  | "heard";

export type GrowthEffect =
  | "sendAsk"
  | "sendAgree"
  | "sendRefuse"
  /** Names the conference to the other side. */
  | "sendConference"
  | "sendUp"
  | "sendStop"
  /** Makes the conference with everybody, enters it, and rings those who are added. */
  | "makeConference"
  | "enterConference"
  | "leaveConference"
  /** Closes the call of two without a word. */
  | "closeCall"
  | "askTimer"
  | "moveTimer"
  | "clearTimer"
  /** The command succeeded. */
  | "settle"
  // errors of the command; on the other side, and later, nothing is shown
  | "refuseOver"
  | "refuseBusy"
  | "refuseOld"
  | "refuseFailed"
  /** Shows the person that the other side added people. */
  | "sayGrown";

type GrowthRule = Rule<GrowthState, GrowthEventType, GrowthGuard, GrowthEffect>;
const MOVING = ["moving", "ownUp", "peerUp", "bothUp"] as const;
const IN_CONFERENCE = ["making", ...MOVING] as const;
const MOVED: readonly GrowthEffect[] = ["clearTimer", "closeCall", "settle", "sayGrown"];
const RUNNING = ["asking", "agreed", ...IN_CONFERENCE] as const;

const RULES: readonly GrowthRule[] = [
  // --- asking
  { from: ["idle"], on: "add", when: ["able"], to: "asking", do: ["sendAsk", "askTimer"] },
  { from: ["idle"], on: "add", to: "same", do: ["refuseFailed"] },
  { from: RUNNING, on: "add", to: "same", do: ["refuseBusy"] },
  { from: ["idle"], on: "rxAsk", when: ["able"], to: "agreed", do: ["sendAgree", "moveTimer"] },
  { from: ["idle"], on: "rxAsk", to: "same", do: ["sendRefuse"] },
  {
    from: ["asking"],
    on: "rxAsk",
    when: ["caller"],
    to: "same",
    do: [],
    note: "both asked at once, and the other side yields",
  },
  {
    from: ["asking"],
    on: "rxAsk",
    to: "agreed",
    do: ["refuseBusy", "sendAgree", "moveTimer"],
    note: "both asked at once, and this side yields",
  },
  { from: ["asking"], on: "rxAgree", to: "making", do: ["makeConference", "moveTimer"] },
  { from: ["asking"], on: "rxRefuse", to: "idle", do: ["clearTimer", "refuseFailed"] },
  { from: ["asking"], on: "askFailed", to: "idle", do: ["clearTimer", "refuseFailed"] },
  {
    from: ["asking"],
    on: "timeout",
    to: "idle",
    do: ["sendStop", "clearTimer", "refuseOld"],
    note: "an old client does not answer, and the call of two goes on",
  },
  // --- into the conference
  { from: ["making"], on: "made", to: "moving", do: ["sendConference"] },
  { from: ["agreed"], on: "rxConference", to: "moving", do: ["enterConference"] },
  { from: ["moving"], on: "up", to: "ownUp", do: ["sendUp"] },
  { from: ["moving"], on: "rxUp", to: "peerUp", do: [] },
  { from: ["ownUp"], on: "rxUp", when: ["heard"], to: "idle", do: MOVED },
  { from: ["ownUp"], on: "rxUp", to: "bothUp", do: [] },
  { from: ["peerUp"], on: "up", to: "bothUp", do: ["sendUp"] },
  {
    from: ["bothUp"],
    on: "upHeard",
    to: "idle",
    do: MOVED,
    note: "closed earlier, the call could not say it again",
  },
  // --- giving up: the call of two goes on
  {
    from: IN_CONFERENCE,
    on: "conferenceFailed",
    to: "idle",
    do: ["sendStop", "clearTimer", "leaveConference", "refuseFailed"],
  },
  {
    from: IN_CONFERENCE,
    on: "timeout",
    to: "idle",
    do: ["sendStop", "clearTimer", "leaveConference", "refuseFailed"],
  },
  {
    from: IN_CONFERENCE,
    on: "rxStop",
    to: "idle",
    do: ["clearTimer", "leaveConference", "refuseFailed"],
  },
  { from: ["agreed"], on: "rxStop", to: "idle", do: ["clearTimer"] },
  { from: ["agreed"], on: "timeout", to: "idle", do: ["sendStop", "clearTimer"] },
  // --- the call of two ends meanwhile
  { from: ["asking"], on: "hangup", to: "idle", do: ["sendStop", "clearTimer", "refuseOver"] },
  { from: ["agreed"], on: "hangup", to: "idle", do: ["sendStop", "clearTimer"] },
  {
    from: IN_CONFERENCE,
    on: "hangup",
    to: "idle",
    do: ["sendStop", "clearTimer", "leaveConference", "refuseOver"],
  },
  { from: ["asking"], on: "callEnded", to: "idle", do: ["clearTimer", "refuseOver"] },
  { from: ["agreed"], on: "callEnded", to: "idle", do: ["clearTimer"] },
  {
    from: MOVING,
    on: "callEnded",
    when: ["peerInside"],
    to: "idle",
    do: ["clearTimer", "settle"],
    note: "both are in the group call, which goes on",
  },
  {
    from: IN_CONFERENCE,
    on: "callEnded",
    to: "idle",
    do: ["clearTimer", "leaveConference", "refuseOver"],
  },
];

export const callGrowthTable: MachineTable<
  GrowthState,
  GrowthEventType,
  GrowthGuard,
  GrowthEffect
> = {
  name: "call-growth",
  initial: "idle",
  states: GROWTH_STATES,
  rules: RULES,
};

export interface GrowthContext {
  readonly able: boolean;
  readonly caller: boolean;
  readonly peerInside: boolean;
  readonly heard: boolean;
}

const guards: Guards<GrowthGuard, GrowthContext, GrowthEvent> = {
  able: (c) => c.able,
  caller: (c) => c.caller,
  peerInside: (c) => c.peerInside,
  heard: (c) => c.heard,
};

/** One step of the growth. */
export const growthStep = (
  state: GrowthState,
  context: GrowthContext,
  event: GrowthEvent,
): Step<GrowthState, GrowthEffect> => step(callGrowthTable, guards, state, context, event);
