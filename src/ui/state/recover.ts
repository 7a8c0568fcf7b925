/** What a failure says about itself: one that passes with an outage needs no alert, the bar at the top tells of it. */
import { AppError } from "../../shared/errors.ts";

/** ms between two tries; the last one repeats. */
const PAUSES = [500, 1_000, 2_000, 5_000] as const;

export const pauseAfter = (tries: number): number =>
  PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 5_000;

/**
 * Whether trying again may help without a change by the person.
 *
 * @param loggedOut a command then needs a login, and waiting gives none
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

/** Tries after which a failure is told although it may pass. */
const TOLD_AFTER = 3;

/**
 * Runs until it succeeds, or fails for a reason that does not pass.
 *
 * @param onFailed may be called again: tries go on behind a failure that may pass
 * @returns what ends the tries
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
      if (!again || tries >= TOLD_AFTER) onFailed(error);
      if (again) timer = setTimeout(() => attempt(tries + 1), pauseAfter(tries));
    });
  };
  attempt(0);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
