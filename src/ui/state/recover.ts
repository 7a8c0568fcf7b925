/** Retries commands whose failure is temporary. Such a failure needs no alert, because the bar at the top shows the outage. */
import { AppError } from "../../shared/errors.ts";

/** ms between attempts; the last value repeats. */
const PAUSES = [500, 1_000, 2_000, 5_000] as const;

/** @returns ms to wait after `tries` earlier attempts */
export const pauseAfter = (tries: number): number =>
  PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 5_000;

/**
 * Whether a retry may succeed without a change by the person.
 *
 * @param loggedOut true when nobody is logged in: a command that needs a login fails then, and repeating it does not help
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
const REPORTED_AFTER = 3;

/**
 * Repeats `run` until it succeeds or fails permanently.
 *
 * @param onFailed may be called more than once, because a temporary failure is reported while the attempts continue
 * @returns a function that stops the attempts
 */
export function keepTrying(
  run: () => Promise<unknown>,
  onFailed: (error: unknown) => void,
  loggedOut: () => boolean,
): () => void {
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = (tries: number): void => {
    run().catch((error: unknown) => {
      if (ended) return;
      const again = passes(error, loggedOut());
      if (!again || tries >= REPORTED_AFTER) onFailed(error);
      if (again) timer = setTimeout(() => attempt(tries + 1), pauseAfter(tries));
    });
  };
  attempt(0);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
