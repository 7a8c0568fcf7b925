/** Parts of the control of a screen that other files of the public API name. */
import type { ControlEnd } from "../../shared/domain/remote-control.ts";
import type { ControlCounts } from "../../shared/protocol/remote-control.ts";

/** How the control of the own screen ended. */
export interface ControlFreed {
  readonly why: ControlEnd;
  /** Actions that were executed, came late and were dropped, never came, and could not be read. */
  readonly counts: Readonly<ControlCounts>;
}
