import type { ChatSlice, ConnectionState } from "../../../../shared/protocol/state.ts";

/** Where the login to chat stands. */
export type Phase =
  | "idle"
  | "opening"
  | "open"
  | "reconnecting"
  | "pause"
  | "offline"
  | "resting"
  | "kicked";

/** What tabs see of a phase. @param wasOpen whether this person was logged in to chat before */
export function shownIn(
  phase: Phase,
  wasOpen: boolean,
): [ConnectionState, ChatSlice["statusText"]] {
  const states: Record<Phase, [ConnectionState, ChatSlice["statusText"]]> = {
    idle: ["closed", "logged-out"],
    opening: ["connecting", wasOpen ? "network-connected" : "logged-out"],
    open: ["open", "logged-in"],
    reconnecting: ["connecting", "network-disconnected"],
    pause: ["waiting", "network-disconnected"],
    offline: ["waiting", "network-disconnected"],
    resting: ["closed", "logged-out"],
    kicked: ["closed", "logged-out"],
  };
  return states[phase];
}
