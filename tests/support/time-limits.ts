/**
 * Limits of measured times. A machine that runs other work beside the tests is slow, and a slow machine is no fault of the product.
 * So `npm test` and `npm run test:browsers` assert what happens, and `npm run test:timed` asserts how long it takes (CONTRIBUTING.md#times).
 */

/**
 * The wait that the browser tests allow for any condition, ms. A machine that runs other work was seen to take four times as long as
 * a quiet one. The wait costs time only where a test fails.
 */
export const PATIENCE = 45_000;
/** As PATIENCE, for sound and pictures of several people at once, ms. */
export const MEDIA_PATIENCE = 90_000;
/** The time that a test has in all, ms. Longer than its longest wait, so that a failure names the condition that it waited for. */
export const TEST_MS = 240_000;

/** Whether this run asserts times. `scripts/timed.mjs` sets the variable. */
export const timesCount = process.env["ASSERT_TIMES"] === "1";

/** @param ms the product's limit @returns that limit where times are asserted, and otherwise a patient one, ms */
export const timeLimit = (ms: number): number => (timesCount ? ms : Math.max(ms, PATIENCE));
