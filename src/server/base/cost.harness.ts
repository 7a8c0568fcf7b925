/** What a piece of work costs this process. The limits count in `npm run test:timed` alone (CONTRIBUTING.md#times). */
import { expect } from "vitest";

/** Whether this run asserts times and memory. `scripts/timed.mjs` sets the variable. */
const costsCount = process.env["ASSERT_TIMES"] === "1";
/** ms between two looks at the memory */
const EVERY = 2;

/**
 * Runs `work`, and where times count prints its cost and asserts the limits.
 * @param limits `seconds` of processor time, because the machine may be busy; `mebibytes` by which the memory may grow meanwhile
 */
export async function withinCost<T>(
  limits: { readonly seconds?: number; readonly mebibytes: number },
  work: () => Promise<T>,
): Promise<T> {
  if (!costsCount) return work();
  const before = process.memoryUsage.rss();
  let peak = 0;
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss() - before);
  };
  const sampler = setInterval(look, EVERY);
  const began = process.cpuUsage();
  try {
    return await work();
  } finally {
    clearInterval(sampler);
    look();
    const { user, system } = process.cpuUsage(began);
    const [seconds, mebibytes] = [(user + system) / 1e6, peak / 2 ** 20];
    console.log(`${seconds.toFixed(2)} s of processor time, ${Math.round(mebibytes)} MiB`);
    expect(seconds).toBeLessThan(limits.seconds ?? Infinity);
    expect(mebibytes).toBeLessThan(limits.mebibytes);
  }
}
