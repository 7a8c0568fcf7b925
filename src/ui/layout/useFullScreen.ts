/** The whole console on the whole screen. */
import { useSyncExternalStore } from "react";

const subscribe = (handler: () => void): (() => void) => {
  document.addEventListener("fullscreenchange", handler);
  return () => document.removeEventListener("fullscreenchange", handler);
};

/** @returns null where the browser has no full screen, as on telephones */
export function useFullScreen(): {
  readonly on: boolean;
  /** Rejects when the browser refuses. */
  readonly toggle: () => Promise<void>;
} | null {
  const on = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  if (!document.fullscreenEnabled) return null;
  return {
    on,
    toggle: () => (on ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
  };
}
