// What the scripts do when the machine, and not the project, fails.

/** Most attempts to reach a registry. */
const ATTEMPTS = 3;
/** The exit code of a run that the environment ended. A failed test ends with 1. */
const ENVIRONMENT = 2;

/**
 * Repeats what depends on a registry.
 * @param {() => boolean} attempt whether it succeeded
 * @returns {boolean} whether one of the attempts succeeded
 */
export function tried(attempt, attempts = ATTEMPTS) {
  for (let n = 1; n <= attempts; n += 1) {
    if (attempt()) return true;
    if (n < attempts) console.log(`Attempt ${n} of ${attempts} failed; trying again …`);
  }
  return false;
}

/** Ends the process with the code that says: no test failed. */
export function exitForEnvironment(why) {
  console.error(`environment, not the change: ${why}`);
  process.exit(ENVIRONMENT);
}
