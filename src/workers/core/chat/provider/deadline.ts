/** Some of the SDK's promises never settle, and its requests have no timeout of their own. */
import { AppError } from "../../../../shared/errors.ts";
import type { Clock } from "../../contracts.ts";

/** @returns what `run` resolves with. @throws AppError after `ms`, or what `run` rejects with */
export const within = <T>(
  clock: Pick<Clock, "after">,
  ms: number,
  run: () => Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => reject(new AppError("network.timeout")));
    run()
      .then(resolve, reject)
      .finally(() => timer.cancel());
  });
