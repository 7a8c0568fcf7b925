/** Pauses between attempts to reconnect a socket, in ms (docs/calls.md#resuming): none at first, then growing, with jitter. */
export const RECONNECT_DELAYS = [0, 300, 1200, 2700, 4800, 7000] as const;
/** Most ms of jitter that are added to a pause. */
export const RECONNECT_JITTER = 1000;

/**
 * @param attempt 0 for the first attempt after a loss
 * @param random 0..1, determines the jitter
 * @returns ms; 0 for the first attempt
 */
export function reconnectDelay(attempt: number, random: number): number {
  const base = RECONNECT_DELAYS[Math.min(attempt, RECONNECT_DELAYS.length - 1)] ?? 7000;
  return attempt === 0 ? 0 : Math.round(base + random * Math.min(RECONNECT_JITTER, base));
}
