/** Long work as a generator that yields often, so that its thread can do other work between two steps. Pure. */

/** @returns the result, without a pause */
export function doneAtOnce<R>(steps: Generator<unknown, R>): R {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** @param pause resolves once the thread has done what waits for it */
export async function doneInSteps<R>(
  steps: Generator<unknown, R>,
  pause: () => Promise<unknown>,
): Promise<R> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause();
  }
}
