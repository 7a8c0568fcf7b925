/** Asks the gateway whether it is alive. */

/** ms after which a missing answer counts as unreachable. */
const PROBE_TIMEOUT = 5_000;

/**
 * @param baseUrl of the gateway. Another origin need not allow this request, so its answer may be opaque; that counts as alive
 * @returns false when a proxy answers instead of the server
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
