/**
 * Node's arguments that start the server. The young generation of the heap gets 8 MB per thread instead of 16: requests leave
 * little garbage, and the server with the embedded database starts with about 70 MB less.
 */
export const SERVER_ARGS = ["--max-semi-space-size=8", "src/server/server-entry.mjs"];

/**
 * Environment of a server. glibc otherwise keeps freed memory of the many buffers of a start, 80 MB on Linux, as it raises this limit with
 * each larger buffer that is freed. Other systems do not read the variable.
 */
export const SERVER_ENVIRONMENT = { MALLOC_TRIM_THRESHOLD_: "131072" };

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns the environment of a server that people try: on the embedded database they meet a company in full work
 */
export const triedEnvironment = (env) =>
  (env.DATABASE_URL ?? "") === "" ? { DEMO_DATA: "full", ...env } : env;
