/** The person's chat user name. It is known a moment after the login; earlier commands wait for it. */
import { AppError } from "../../../../shared/errors.ts";
import type { Clock } from "../../contracts.ts";

/** ms that a command waits for the chat account right after the login. */
const ACCOUNT_WAIT = 10_000;

export interface Self {
  /**
   * Own user name once the chat of this person is restored.
   *
   * @throws AppError auth.required, chat.not-connected when it does not become known in time
   */
  name(): Promise<string>;
  /** The account became known, or never will: waiting commands check again. */
  recheck(): void;
}

export function createSelf(deps: {
  readonly clock: Clock;
  readonly loggedIn: () => boolean;
  readonly me: () => string | null;
  /** Resolves when the user's chat is restored from storage. */
  readonly ready: () => Promise<void>;
}): Self {
  const waiting = new Set<() => void>();

  /** Waits again if the account became known during the wait, because its chat is restored only from then on. */
  const restored = async (): Promise<void> => {
    let seen: Promise<void>;
    do {
      seen = deps.ready();
      await seen;
    } while (seen !== deps.ready());
  };

  return {
    async name() {
      if (!deps.loggedIn()) throw new AppError("auth.required");
      await restored();
      if (deps.me() === null) {
        await new Promise<void>((resolve) => {
          const timer = deps.clock.after(ACCOUNT_WAIT, () => go());
          const go = (): void => {
            timer.cancel();
            waiting.delete(go);
            resolve();
          };
          waiting.add(go);
        });
        await restored();
      }
      const me = deps.me();
      if (me === null) throw new AppError("chat.not-connected");
      return me;
    },
    recheck() {
      for (const go of waiting) go();
    },
  };
}
