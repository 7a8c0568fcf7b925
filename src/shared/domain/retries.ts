/** Which failures are temporary, and how long to wait before the next attempt. */
import { AppError } from "../errors.ts";

/** ms between attempts; the last value repeats. */
const PAUSES = [500, 1_000, 2_000, 5_000] as const;

/** @returns ms to wait after `tries` earlier attempts */
export const pauseAfter = (tries: number): number =>
  PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 5_000;

/**
 * Whether a retry may succeed without a change by the person.
 *
 * @param loggedOut true when nobody is logged in. Repeating a command that needs a login does not help then
 */
export function passes(error: unknown, loggedOut: boolean): boolean {
  const { code } = AppError.from(error);
  if (code === "auth.required") return !loggedOut;
  return (
    code === "server.unavailable" ||
    code === "chat.not-connected" ||
    code === "core.gone" ||
    code === "core.deadline" ||
    code.startsWith("network.")
  );
}

/** Number of attempts after which a temporary failure is reported too. */
export const REPORTED_AFTER = 3;
