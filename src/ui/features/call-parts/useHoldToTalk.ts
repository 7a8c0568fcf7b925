/** Space as push to talk, while the window of a call or conference shows. Releases with the key, the focus, the page and the window. */
import { useEffect, useRef, useState } from "react";
import { showError } from "../../state/show-message.ts";
import { OVERLAY } from "./useShortcuts.ts";
import { createHoldToTalk, isHoldPress, type PressedOn } from "./hold-to-talk.ts";

const WRITING = "input, textarea, select, [contenteditable], [role='combobox'], [role='textbox']";
const CONTROL = "button, a, summary, [role='button'], [role='switch'], [role='tab']";

/**
 * @param mayPress whether the microphone is muted and the person may turn it on
 * @returns whether the key is held now
 */
export function useHoldToTalk(
  mayPress: boolean,
  setMuted: (muted: boolean) => Promise<unknown>,
): boolean {
  const [holding, setHolding] = useState(false);
  const latest = useRef({ mayPress, setMuted });
  useEffect(() => {
    latest.current = { mayPress, setMuted };
  });
  useEffect(() => {
    const hold = createHoldToTalk({
      setMuted: (muted) => latest.current.setMuted(muted),
      changed: setHolding,
      failed: showError,
    });
    let byTab = false;
    const place = (target: EventTarget | null): PressedOn => ({
      writes: target instanceof Element && target.closest(WRITING) !== null,
      takesSpace: target instanceof Element && target.closest(CONTROL) !== null,
      byTab,
    });
    const onDown = (event: KeyboardEvent): void => {
      if (event.key === "Tab") byTab = true;
      if (event.defaultPrevented || !isHoldPress(event, place(event.target))) return;
      if (hold.holding) return event.preventDefault();
      if (event.repeat || !latest.current.mayPress || document.querySelector(OVERLAY) !== null)
        return;
      event.preventDefault();
      hold.press();
    };
    const onUp = (event: KeyboardEvent): void => {
      if (event.code !== "Space" || !hold.holding) return;
      // Otherwise Firefox clicks the button that has the focus.
      event.preventDefault();
      hold.release();
    };
    const onPointer = (): void => {
      byTab = false;
    };
    const onHidden = (): void => {
      if (document.visibilityState === "hidden") hold.release();
    };
    addEventListener("keydown", onDown);
    addEventListener("keyup", onUp);
    addEventListener("pointerdown", onPointer);
    addEventListener("blur", hold.release);
    addEventListener("pagehide", hold.release);
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      removeEventListener("keydown", onDown);
      removeEventListener("keyup", onUp);
      removeEventListener("pointerdown", onPointer);
      removeEventListener("blur", hold.release);
      removeEventListener("pagehide", hold.release);
      document.removeEventListener("visibilitychange", onHidden);
      hold.release();
    };
  }, []);
  return holding;
}
