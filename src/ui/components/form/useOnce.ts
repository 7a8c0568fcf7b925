/** The guard of every form that saves: pressing its button again while it saves does nothing. */
import { useRef } from "react";

/**
 * Work that runs once at a time. Several clicks in one task are all handled before a button shows that it is busy, so its look is
 * no guard.
 */
export function useOnce<A extends readonly unknown[]>(
  work: (...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  const running = useRef(false);
  return async (...args) => {
    if (running.current) return;
    running.current = true;
    try {
      await work(...args);
    } finally {
      running.current = false;
    }
  };
}
