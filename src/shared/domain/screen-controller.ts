/** This person as the controller of another's shared screen, as one table (docs/conferences.md#control-of-a-screen). */
import { CONTROLLER_STATES, type ControllerState } from "./remote-control.ts";
import { type MachineTable, type Rule, type Step, step } from "./machine.ts";

export type ControllerEventType =
  /** The person asks for control. */
  | "ask"
  /** The person releases the screen, or withdraws the request. */
  | "release"
  /** Answers: 0, -402, -403, -405 or -507, -408. */
  | "accepted"
  | "rejected"
  | "busy"
  | "notAllowed"
  | "late"
  /** The controlled side has ended it. */
  | "stopped"
  /** No answer within the control timeout. */
  | "silent"
  /** The member, the stream or its subscription, the conference or the session is gone. */
  | "gone";
export type ControllerEffect =
  | "sendAsk"
  | "sendRelease"
  | "begin"
  | "end"
  | "sayRejected"
  | "sayBusy"
  | "sayNotAllowed"
  | "sayLate"
  | "sayReleased"
  | "sayStopped"
  | "sayGone";

type ControllerRule = Rule<ControllerState, ControllerEventType, never, ControllerEffect>;

const RULES: readonly ControllerRule[] = [
  { from: ["idle"], on: "ask", to: "asking", do: ["sendAsk"] },
  {
    from: ["asking"],
    on: "ask",
    to: "same",
    do: ["sendRelease", "sendAsk"],
    note: "a person controls one screen at a time",
  },
  { from: ["controlling"], on: "ask", to: "asking", do: ["end", "sendRelease", "sendAsk"] },
  { from: ["asking"], on: "accepted", to: "controlling", do: ["begin"] },
  { from: ["asking"], on: "rejected", to: "idle", do: ["sayRejected"] },
  { from: ["asking"], on: "busy", to: "idle", do: ["sayBusy"] },
  { from: ["asking"], on: "notAllowed", to: "idle", do: ["sayNotAllowed"] },
  { from: ["asking"], on: "late", to: "idle", do: ["sendRelease", "sayLate"] },
  { from: ["asking"], on: "release", to: "idle", do: ["sendRelease", "sayReleased"] },
  { from: ["asking"], on: "stopped", to: "idle", do: ["sayStopped"] },
  { from: ["asking"], on: "gone", to: "idle", do: ["sayGone"] },
  {
    from: ["controlling"],
    on: "release",
    to: "idle",
    do: ["end", "sendRelease", "sayReleased"],
  },
  { from: ["controlling"], on: "rejected", to: "idle", do: ["end", "sayRejected"] },
  { from: ["controlling"], on: "busy", to: "idle", do: ["end", "sayBusy"] },
  {
    from: ["controlling"],
    on: "notAllowed",
    to: "idle",
    do: ["end", "sayStopped"],
    note: "the platform's library answers so after it has ended the control",
  },
  { from: ["controlling"], on: "stopped", to: "idle", do: ["end", "sayStopped"] },
  { from: ["controlling"], on: "silent", to: "idle", do: ["end", "sendRelease", "sayLate"] },
  { from: ["controlling"], on: "gone", to: "idle", do: ["end", "sayGone"] },
];

export const screenControllerTable: MachineTable<
  ControllerState,
  ControllerEventType,
  never,
  ControllerEffect
> = {
  name: "screen-controller",
  initial: "idle",
  states: CONTROLLER_STATES,
  rules: RULES,
};

/** One step of the controller. */
export const controllerStep = (
  state: ControllerState,
  type: ControllerEventType,
): Step<ControllerState, ControllerEffect> =>
  step(screenControllerTable, {} as Record<never, never>, state, null, { type });
