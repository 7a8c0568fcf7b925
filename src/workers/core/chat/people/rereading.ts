/** Lists that are read whole after each piece of news: one reading at a time, and again later after a failure (docs/chat.md#contacts). */
import { reconnectDelay } from "../../../../shared/domain/backoff.ts";
import type { CoreEnv, Timer } from "../../contracts.ts";

export interface Rereading {
  /** Reads again; a call during a reading makes it read once more. Resolves when the reading has ended, also by a failure. */
  refresh(): Promise<void>;
  /** Drops what is being read and what was to be read later. */
  forget(): void;
  /** @returns a question: was everything forgotten since? */
  watch(): () => boolean;
}

/**
 * @param deps.what the lists, for the log
 * @param deps.read must change nothing when `isForgotten()` is true after an answer
 */
export function createRereading(deps: {
  readonly env: Pick<CoreEnv, "clock" | "random" | "log">;
  readonly what: string;
  readonly read: (isForgotten: () => boolean) => Promise<void>;
  readonly onFailed?: () => void;
}): Rereading {
  const { env, what } = deps;
  let generation = 0;
  let running: Promise<void> | null = null;
  let again = false;
  let retry: Timer | null = null;

  const watch = (): (() => boolean) => {
    const ownGeneration = generation;
    return () => ownGeneration !== generation;
  };
  const stopRetry = (): void => {
    retry?.cancel();
    retry = null;
  };
  const readUntilQuiet = async (isForgotten: () => boolean): Promise<void> => {
    do {
      again = false;
      await deps.read(isForgotten);
    } while (again && !isForgotten());
  };
  const refresh = (tries = 0): Promise<void> => {
    stopRetry();
    again = true;
    if (running !== null) return running;
    const isForgotten = watch();
    running = readUntilQuiet(isForgotten)
      .catch((error: unknown) => {
        if (isForgotten()) return;
        const why = error instanceof Error ? error.message : "error";
        env.log("chat", "warn", `${what} not read, ${why}`);
        deps.onFailed?.();
        retry = env.clock.after(reconnectDelay(tries + 1, env.random()), () => {
          void refresh(tries + 1);
        });
      })
      .finally(() => {
        if (!isForgotten()) running = null;
      });
    return running;
  };
  return {
    refresh: () => refresh(),
    forget() {
      generation += 1;
      running = null;
      stopRetry();
    },
    watch,
  };
}
