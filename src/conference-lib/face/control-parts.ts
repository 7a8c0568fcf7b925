/** Parts of the control of a screen that other files of the public API name. */
import type { ControlEnd } from "../../shared/domain/remote-control.ts";
import type { ControlCounts } from "../../shared/protocol/remote-control.ts";

/** Events of a bound element that remote-control.ts answers. */
export const CONTROL_TAG_EVENTS = ["remoteControl", "freeRemoteControl"] as const;
export type ControlTagEvent = (typeof CONTROL_TAG_EVENTS)[number];
export const isControlEvent = (event: string): event is ControlTagEvent =>
  (CONTROL_TAG_EVENTS as readonly string[]).includes(event);

/** How the control of the own screen ended. */
export interface ControlFreed {
  readonly why: ControlEnd;
  /** Actions that were executed, came late and were dropped, never came, and could not be read. */
  readonly counts: Readonly<ControlCounts>;
}
