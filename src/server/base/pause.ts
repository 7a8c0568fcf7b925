import { setImmediate as afterWaiting } from "node:timers/promises";

/**
 * Lets the process answer other requests between two steps of long work (`doneInSteps` of shared/domain/steps.ts). It has one thread, and a
 * request waits for it at each of its queries.
 */
export const pause = (): Promise<void> => afterWaiting();
