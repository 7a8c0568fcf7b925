/** The call's floating window of this tab, for the windows that have its button. */
import { createContext, useContext } from "react";

export interface Floating {
  /** Whether this browser can float: all that a call shows, one video, or nothing (null). */
  readonly kind: "document" | "video" | null;
  /** Something floats now. */
  readonly on: boolean;
  /** The picture is there and not in the page. */
  readonly away: boolean;
  /** Call in a click handler. @param video what floats in a browser that floats only videos */
  toggle(video: HTMLVideoElement | null): void;
  close(): void;
}

export const FloatingContext = createContext<Floating>({
  kind: null,
  on: false,
  away: false,
  toggle: () => undefined,
  close: () => undefined,
});

export const useFloating = (): Floating => useContext(FloatingContext);
