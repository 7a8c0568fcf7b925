/** Push to talk (docs/calls.md#muted): which key presses count, and a microphone that is on while the key is held. No DOM. */

export interface SpacePress {
  readonly code: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export interface PressedOn {
  /** The person writes there. */
  readonly writes: boolean;
  /** The element does something by itself with Space: a button, a switch. */
  readonly takesSpace: boolean;
  /** The person came there by Tab, so that Space is how they press it. After a click the focus stays on a button by accident. */
  readonly byTab: boolean;
}

/** Whether this press of a key means that the person wants to speak. */
export const isHoldPress = (press: SpacePress, on: PressedOn): boolean =>
  press.code === "Space" &&
  !press.altKey &&
  !press.ctrlKey &&
  !press.metaKey &&
  !press.shiftKey &&
  !on.writes &&
  !(on.takesSpace && on.byTab);

export interface HoldToTalk {
  readonly holding: boolean;
  press(): void;
  /** Mutes again. Does nothing when nothing is held. */
  release(): void;
}

/**
 * @param setMuted resolves when the core has done it
 * @param changed the key is held, or no longer
 */
export function createHoldToTalk(deps: {
  readonly setMuted: (muted: boolean) => Promise<unknown>;
  readonly changed: (holding: boolean) => void;
  readonly failed: (error: unknown) => void;
}): HoldToTalk {
  let holding = false;
  let done = true;
  let working = false;
  /** One command at a time, and the last wish wins: a short press must not leave the microphone on. */
  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    try {
      while (done !== !holding) {
        const muted = !holding;
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await deps.setMuted(muted);
        done = muted;
      }
    } catch (error) {
      // The next press begins with a muted microphone.
      done = true;
      if (holding) {
        holding = false;
        deps.changed(false);
      }
      deps.failed(error);
    } finally {
      working = false;
    }
  };
  const hold = (next: boolean): void => {
    if (next === holding) return;
    holding = next;
    deps.changed(next);
    void work();
  };
  return {
    get holding() {
      return holding;
    },
    press: () => hold(true),
    release: () => hold(false),
  };
}
