/** What executes the input of a controller in the shared screen (docs/conferences.md#control-of-a-screen). */
import type { ControlAction } from "../../shared/protocol/remote-control.ts";

/**
 * A desktop shell implements it with the events of the system, a host page with its own; for a shared tab of this page there is
 * page.ts. Coordinates are 0 to 10000 from the left and the top of the shared picture. Buttons and keys that are still down at the end
 * are released before `end`.
 */
export interface ControlExecutor {
  /** A member controls the screen from now on; this person has agreed. */
  begin?(who: {
    readonly streamId: string;
    readonly memId: string;
    readonly nickName: string;
  }): void;
  /** In the order in which the controller made them. */
  input(actions: readonly ControlAction[]): void;
  end?(): void;
}

/** What control needs of the browser. */
export interface ControlPort {
  /** Names this tab to itself, so that a capture of this very tab is recognised. */
  readonly handle: string;
  readonly origin: string;
  /** What a desktop shell has put at `desktopControl` of the window; null without one. */
  shell(): ControlExecutor | null;
  /** Executes in this page. */
  page(): ControlExecutor;
}
