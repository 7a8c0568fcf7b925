/** The rules of the call table that end a call. */
import type { CallRule } from "./call-events.ts";
import { ACTIVE_CALL_STATES as ACTIVE, OUTGOING_CALL_STATES as OUTGOING } from "./call-states.ts";

export const CALL_ENDINGS: readonly CallRule[] = [
  {
    from: OUTGOING,
    on: "hangup",
    to: "idle",
    do: ["sendCancel", "clearTimer", "close"],
  },
  { from: ["confirmRing"], on: "hangup", to: "idle", do: ["sendRefuse", "clearTimer", "close"] },
  {
    from: ["sendAnswer", "receivedAnswer", "confirmAnswer", "chat"],
    on: "hangup",
    to: "idle",
    do: ["sendTerminate", "clearTimer", "close"],
  },
  {
    from: ACTIVE,
    on: "rxCancel",
    when: ["sameChannel", "sameCall"],
    to: "idle",
    do: ["clearTimer", "close", "sayPeerCancelled"],
  },
  {
    from: ["chat"],
    on: "rxTerminate",
    when: ["elsewhere"],
    to: "idle",
    do: ["clearTimer", "close", "sayMoved"],
    note: "it goes on on another device of this person",
  },
  {
    from: ACTIVE,
    on: "rxTerminate",
    when: ["elsewhere"],
    to: "idle",
    do: ["clearTimer", "close", "sayElsewhere"],
  },
  {
    from: ACTIVE,
    on: "rxTerminate",
    when: ["noAccess"],
    to: "idle",
    do: ["clearTimer", "close", "sayNoAccess"],
  },
  {
    from: ["chat"],
    on: "rxTerminate",
    when: ["interrupted"],
    to: "idle",
    do: ["clearTimer", "close", "sayInterrupted"],
    note: "both sides read the same",
  },
  {
    from: ACTIVE,
    on: "rxTerminate",
    to: "idle",
    do: ["clearTimer", "close", "sayPeerEnded"],
  },
  {
    from: OUTGOING,
    on: "timeout",
    to: "idle",
    do: ["sendCancelQuietly", "clearTimer", "close", "sayNoResponse"],
  },
  {
    from: ["confirmRing"],
    on: "timeout",
    to: "idle",
    do: ["clearTimer", "close", "sayNotAnswered"],
  },
  {
    from: ["sendAnswer"],
    on: "timeout",
    to: "idle",
    do: ["sendTerminate", "clearTimer", "close", "sayNoConfirm"],
  },
  {
    from: ["chat"],
    on: "mediaFailed",
    when: ["connectionFailed"],
    to: "idle",
    do: ["sendTerminate", "clearTimer", "close", "sayInterrupted"],
    note: "both sides read the same",
  },
  {
    from: ["sendAnswer", "receivedAnswer", "confirmAnswer", "chat"],
    on: "mediaFailed",
    to: "idle",
    do: ["sendTerminate", "clearTimer", "close", "sayFailure"],
  },
  {
    from: ["sendRing", "receivedRing"],
    on: "sessionEnded",
    to: "idle",
    do: ["sendCancelQuietly", "clearTimer", "close"],
  },
  {
    from: ["confirmRing"],
    on: "sessionEnded",
    to: "idle",
    do: ["sendRefuse", "clearTimer", "close"],
  },
  {
    from: ["sendAnswer", "receivedAnswer", "confirmAnswer", "chat"],
    on: "sessionEnded",
    to: "idle",
    do: ["sendTerminate", "clearTimer", "close"],
  },
  {
    from: ["chat"],
    on: "grown",
    to: "idle",
    do: ["clearTimer", "close"],
    note: "the group call carries both by now",
  },
];
