/**
 * The rules of the call table for the device on which a call goes on (docs/calls.md#to-another-device). Until it has the call, its end
 * here is no end of the call: the other device goes on.
 */
import type { CallRule } from "./call-events.ts";
import { ACTIVE_CALL_STATES as ACTIVE } from "./call-states.ts";

export const CALL_MOVES: readonly CallRule[] = [
  { from: ["idle"], on: "goOn", to: "sendAnswer", do: ["arrive", "askTimer", "enterSession"] },
  { from: ACTIVE, on: "goOn", to: "same", do: ["sayBusySelf"] },
  {
    from: ["sendAnswer"],
    on: "moveTold",
    when: ["arriving"],
    to: "same",
    do: ["carryOn", "moveTimer", "prepareMedia"],
  },
  {
    from: ["sendAnswer"],
    on: "moved",
    to: "chat",
    do: ["clearTimer"],
    note: "the call is on since the other device had it",
  },
  ...(["hangup", "sessionEnded"] as const).map((on): CallRule => ({
    from: ["sendAnswer"],
    on,
    when: ["arriving"],
    to: "idle",
    do: ["clearTimer", "close"],
  })),
  ...(["mediaFailed", "prepareFailed"] as const).map((on): CallRule => ({
    from: ["sendAnswer"],
    on,
    when: ["arriving"],
    to: "idle",
    do: ["clearTimer", "close", "sayFailure"],
  })),
  ...(["moveFailed", "timeout"] as const).map((on): CallRule => ({
    from: ["sendAnswer"],
    on,
    when: ["arriving"],
    to: "idle",
    do: ["clearTimer", "close", "sayNotMoved"],
  })),
];
