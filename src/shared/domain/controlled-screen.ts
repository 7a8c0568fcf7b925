/** Who controls the own shared screen, as one table (docs/conferences.md#control-of-a-screen). The core interprets the effects. */
import { CONTROLLED_STATES, type ControlledState } from "./remote-control.ts";
import { type Guards, type MachineTable, type Rule, type Step, step } from "./machine.ts";

/** Who sent a message about control. */
export interface ControlSender {
  readonly memId: string;
  readonly memName: string;
  readonly cId: string;
}
export type ControlledEvent =
  | { readonly type: "ask" | "release" | "input" | "keepAlive"; readonly from: ControlSender }
  | { readonly type: "memberGone"; readonly memId: string }
  | {
      readonly type:
        /** This person answers the request. */
        | "agree"
        | "refuse"
        /** This person ends the control. */
        | "stop"
        /** The request waited as long as the controller does. */
        | "expire"
        /** Neither input nor a keep-alive within the control timeout. */
        | "silent"
        /** The stream was removed, or nothing can execute input in it any more. */
        | "unshared"
        /** Another tab owns the media. */
        | "moved"
        /** The conference or the session is over. */
        | "over";
    };
export type ControlledEventType = ControlledEvent["type"];
export type ControlledGuard =
  /** Something here can execute input. */
  | "able"
  /** The same person as the one who asks or controls, perhaps with another device. */
  | "samePerson"
  /** The member and the id of the present request or control. */
  | "sameControl"
  | "isBy";
export type ControlledEffect =
  | "answerOk"
  | "answerRejected"
  | "answerBusy"
  | "answerNotAllowed"
  /** Answers the kept request with 0. */
  | "acceptRequest"
  | "rejectRequest"
  /** Keeps the request for this person's answer. */
  | "keepRequest"
  | "begin"
  /** The newer control object of the same person replaces the older one. */
  | "replace"
  | "execute"
  | "heard"
  | "end"
  /** Tells the controller that control has ended. */
  | "tellController"
  | "sayReleased"
  | "sayStopped"
  | "sayLate"
  | "sayGone";

type ControlledRule = Rule<ControlledState, ControlledEventType, ControlledGuard, ControlledEffect>;

const RULES: readonly ControlledRule[] = [
  { from: "*", on: "ask", when: ["!able"], to: "same", do: ["answerNotAllowed"] },
  { from: ["free"], on: "ask", to: "asked", do: ["keepRequest"] },
  {
    from: ["asked"],
    on: "ask",
    when: ["samePerson"],
    to: "same",
    do: ["keepRequest"],
    note: "the newer request of a person replaces the older one, which has no answer",
  },
  {
    from: ["controlled"],
    on: "ask",
    when: ["samePerson"],
    to: "same",
    do: ["replace", "answerOk"],
    note: "the person has agreed to this controller already",
  },
  { from: ["asked", "controlled"], on: "ask", to: "same", do: ["answerBusy"] },
  { from: ["asked"], on: "agree", to: "controlled", do: ["begin", "acceptRequest"] },
  { from: ["asked"], on: "refuse", to: "free", do: ["rejectRequest"] },
  {
    from: ["asked"],
    on: "expire",
    to: "free",
    do: ["sayLate"],
    note: "the controller has stopped waiting by itself",
  },
  {
    from: ["asked"],
    on: "release",
    when: ["sameControl"],
    to: "free",
    do: ["answerOk", "sayReleased"],
  },
  {
    from: ["controlled"],
    on: "release",
    when: ["sameControl"],
    to: "free",
    do: ["answerOk", "end", "sayReleased"],
  },
  { from: "*", on: "release", to: "same", do: ["answerOk"], note: "nothing is to be released" },
  {
    from: ["controlled"],
    on: "input",
    when: ["sameControl"],
    to: "same",
    do: ["heard", "execute"],
    note: "the answer follows after a pause, which limits the messages of the platform's library",
  },
  { from: "*", on: "input", to: "same", do: ["answerNotAllowed"] },
  {
    from: ["controlled"],
    on: "keepAlive",
    when: ["sameControl"],
    to: "same",
    do: ["heard", "answerOk"],
  },
  { from: "*", on: "keepAlive", to: "same", do: ["answerNotAllowed"] },
  { from: ["controlled"], on: "stop", to: "free", do: ["end", "tellController", "sayStopped"] },
  { from: ["controlled"], on: "silent", to: "free", do: ["end", "tellController", "sayLate"] },
  { from: ["asked"], on: "memberGone", when: ["isBy"], to: "free", do: ["sayGone"] },
  { from: ["controlled"], on: "memberGone", when: ["isBy"], to: "free", do: ["end", "sayGone"] },
  { from: ["asked"], on: "unshared", to: "free", do: ["rejectRequest", "sayGone"] },
  { from: ["controlled"], on: "unshared", to: "free", do: ["end", "tellController", "sayGone"] },
  { from: ["asked"], on: "moved", to: "free", do: ["rejectRequest", "sayGone"] },
  { from: ["controlled"], on: "moved", to: "free", do: ["end", "tellController", "sayGone"] },
  { from: ["asked"], on: "over", to: "free", do: ["sayGone"] },
  { from: ["controlled"], on: "over", to: "free", do: ["end", "sayGone"] },
];

export const controlledScreenTable: MachineTable<
  ControlledState,
  ControlledEventType,
  ControlledGuard,
  ControlledEffect
> = {
  name: "controlled-screen",
  initial: "free",
  states: CONTROLLED_STATES,
  rules: RULES,
};

export interface ControlledContext {
  readonly able: boolean;
  /** The member who asks or controls; null while the screen is free. */
  readonly by: ControlSender | null;
}
const senderOf = (event: ControlledEvent): ControlSender | null =>
  "from" in event ? event.from : null;
const guards: Guards<ControlledGuard, ControlledContext, ControlledEvent> = {
  able: ({ able }) => able,
  samePerson: ({ by }, event) => by !== null && by.memName === senderOf(event)?.memName,
  sameControl: ({ by }, event) =>
    by !== null && by.memId === senderOf(event)?.memId && by.cId === senderOf(event)?.cId,
  isBy: ({ by }, event) => event.type === "memberGone" && by?.memId === event.memId,
};

/** One step of the control of the own screen. */
export const controlledStep = (
  state: ControlledState,
  context: ControlledContext,
  event: ControlledEvent,
): Step<ControlledState, ControlledEffect> =>
  step(controlledScreenTable, guards, state, context, event);
