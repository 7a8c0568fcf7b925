/** Which errors of an upload or a download are waited out (docs/session.md#uploads). */
import type { AppError, ErrorCode } from "../../../shared/errors.ts";

/** Seconds of a refusal for too many requests that are waited for; a longer one is a failure. */
const LONGEST_WAIT = 60;

/** The server cannot be reached, or not by this login or this build: waited out, however long it takes. */
const AWAY: ReadonlySet<ErrorCode> = new Set([
  "network.offline",
  "network.timeout",
  "network.intercepted",
  "server.unavailable",
  "server.unreachable",
  "auth.required",
  "auth.expired",
  "code.replaced",
  "chat.not-connected",
]);
/** May be over with the next attempt; after so many of them it counts as a refusal. */
const FAULTS: ReadonlySet<ErrorCode> = new Set([
  "server.internal",
  "request.not-found",
  "request.conflict",
  "request.rate-limited",
  "file.upload-failed",
]);
const MOST_FAULTS = 5;
const NONE: ReadonlySet<ErrorCode> = new Set();

/**
 * @param faults how many there were before
 * @param final errors that no further attempt can mend here
 * @returns whether the next attempt may succeed, and how many faults there are now
 */
export function judgeFault(
  error: AppError,
  faults: number,
  final: ReadonlySet<ErrorCode> = NONE,
): { readonly passing: boolean; readonly faults: number } {
  const wait = Number(error.details?.["retryAfter"] ?? 0);
  const isFault = FAULTS.has(error.code) && !final.has(error.code) && wait <= LONGEST_WAIT;
  const now = isFault ? faults + 1 : faults;
  return { passing: AWAY.has(error.code) || (isFault && now < MOST_FAULTS), faults: now };
}
