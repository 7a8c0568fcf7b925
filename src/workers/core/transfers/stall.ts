/**
 * Ends a transfer whose connection is dead (docs/session.md#dead-connections). A network that is lost without a word, or changed, leaves
 * connections on which nothing comes any more, also when the next one would work.
 */
import { AppError } from "../../../shared/errors.ts";
import type { CoreEnv } from "../contracts.ts";

/** ms without any byte after which a connection counts as dead. A server may need long before the first byte of a large export. */
const SILENCE_LIMIT = 120_000;
/** The same once the network or the server is back after an outage: what moves then still moves within this time. */
const SILENCE_LIMIT_AT_RETURN = 10_000;

export interface StallWatch {
  /** Aborted as the given signal is, with its reason, or with AppError network.timeout when the connection counts as dead. */
  readonly signal: AbortSignal;
  /** Something was sent or received. */
  moved(): void;
  /** @returns the reason of a dead connection; `error` when it was not the reason */
  reasonOf(error: unknown): unknown;
  /** Ends the watch. Idempotent. */
  end(): void;
}

/**
 * @param signal of who began the transfer and may cancel it
 * @param limit ms without any byte
 */
export function watchStall(
  { clock, online }: Pick<CoreEnv, "clock" | "online">,
  signal: AbortSignal,
  limit = SILENCE_LIMIT,
): StallWatch {
  const control = new AbortController();
  let movedAt = clock.now();
  const giveUp = (): void => control.abort(new AppError("network.timeout"));
  const cancelled = (): void => control.abort(signal.reason);
  const guard = () => clock.after(limit, giveUp);
  let timer = guard();
  const stopListening = online.onChange((isOnline) => {
    if (isOnline && clock.now() - movedAt >= SILENCE_LIMIT_AT_RETURN) giveUp();
  });
  if (signal.aborted) cancelled();
  else signal.addEventListener("abort", cancelled, { once: true });
  return {
    signal: control.signal,
    moved() {
      movedAt = clock.now();
      timer.cancel();
      timer = guard();
    },
    reasonOf(error) {
      const reason: unknown = control.signal.reason;
      return reason instanceof AppError ? reason : error;
    },
    end() {
      timer.cancel();
      stopListening();
      signal.removeEventListener("abort", cancelled);
    },
  };
}
