/** Asks the gateway for a sign of life. */

/** ms: an answer that takes longer is none for the person who waits. */
const PROBE_TIMEOUT = 5_000;

/**
 * @param baseUrl of the gateway; another origin need not allow this request, so its answer may be opaque: it counts all the same
 * @returns false where a proxy answers in the server's place
 */
export const createProbe = (baseUrl: string) => async (): Promise<boolean> => {
  const answer = await fetch(`${baseUrl}/healthz`, {
    mode: "no-cors",
    cache: "no-store",
    credentials: "omit",
    signal: AbortSignal.timeout(PROBE_TIMEOUT),
  });
  return answer.status < 502 || answer.status > 504;
};
