/** Asks the gateway whether it is alive. */
import { CONFIG_PATH } from "../../../shared/protocol/config.ts";

/** ms after which a missing answer counts as unreachable. */
const PROBE_TIMEOUT = 5_000;

/** Whether the server gave any sign of life. intercepted: the network or a proxy answered in its place. May reject: no answer. */
export type Probe = () => Promise<boolean | "intercepted">;

const isPage = (answer: Response): boolean =>
  /^text\/html\b/i.test(answer.headers.get("content-type") ?? "");

/**
 * @param baseUrl of the gateway. Another origin than the page's need not allow this request, so its answer may be opaque; that counts as
 *   alive
 * @param home where the console lies
 * @returns answers false when a gateway answers instead of the server
 */
export function createProbe(
  baseUrl: string,
  home: string,
  ask: typeof fetch = (...given) => fetch(...given),
): Probe {
  const own = baseUrl === home;
  const request = (path: string): Promise<Response> =>
    ask(baseUrl + path, {
      // a redirect to the login page of a network fails then
      mode: own ? "same-origin" : "no-cors",
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(PROBE_TIMEOUT),
    });
  return async () => {
    const answer = await request("/healthz");
    if (answer.status >= 502 && answer.status <= 504) return false;
    if (!own || !isPage(answer)) return true;
    // A console that others serve answers with its page where the platform lacks this path. A network answers so to everything.
    return isPage(await request(CONFIG_PATH)) ? "intercepted" : true;
  };
}
