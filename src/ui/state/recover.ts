/** Retries commands whose failure is temporary. Such a failure needs no alert, because the bar at the top shows the outage. */
import { passes, pauseAfter, REPORTED_AFTER } from "../../shared/domain/retries.ts";

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
