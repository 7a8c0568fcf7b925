/** Waiting times between tries of a socket: resume at once, then growing, with jitter (docs/calls.md#resuming). */
export const RECONNECT_DELAYS = [0, 300, 1200, 2700, 4800, 7000] as const;
export const RECONNECT_JITTER = 1000;

/**
 * @param attempt 0 for the first try after a loss
 * @param random 0..1
 * @returns ms; the first try is at once, without jitter
 */
export function reconnectDelay(attempt: number, random: number): number {
  const base = RECONNECT_DELAYS[Math.min(attempt, RECONNECT_DELAYS.length - 1)] ?? 7000;
  return attempt === 0 ? 0 : Math.round(base + random * Math.min(RECONNECT_JITTER, base));
}
