/**
 * Tells the operator why pages get no sockets (docs/server.md#behind-a-proxy). Mostly a proxy is not named as trusted, or does not pass
 * on which host and port the page has.
 */
import type { Logger } from "pino";
import type { Clock } from "../module.ts";
import type { Client } from "./client.ts";

/** ms for which a pair is not logged again. */
const AGAIN = 60 * 60_000;
/** Pairs logged within that time, since a program may send any origin. */
const MOST = 20;
/** Characters of an origin or a host in the log. */
const SHOWN = 200;

/** @returns a function that logs the origin of a refused page and the hosts that the request named, once an hour for each pair */
export function createOriginNotes(deps: {
  readonly log: Logger;
  readonly clock: Pick<Clock, "now">;
}): (origin: string, client: Client, byProxy: boolean) => void {
  const logged = new Map<string, number>();
  return (origin, { hosts }, byProxy) => {
    const now = deps.clock.now();
    const page = origin.slice(0, SHOWN);
    const host = hosts.join(", ").slice(0, SHOWN);
    for (const [pair, at] of logged) if (now - at >= AGAIN) logged.delete(pair);
    const pair = `${page} ${host}`;
    if (logged.has(pair) || logged.size >= MOST) return;
    logged.set(pair, now);
    const proxy = byProxy
      ? "let the proxy send Host with its port (nginx: proxy_set_header Host $http_host), or X-Forwarded-Host or X-Forwarded-Port"
      : "let the proxy send Host with its port (nginx: proxy_set_header Host $http_host), or name the proxy in TRUSTED_PROXIES and let it send X-Forwarded-Host or X-Forwarded-Port";
    deps.log.warn(
      { origin: page, host },
      `a page of ${page} was refused a socket, because its request named the host ${host}. If the page is this server's own, ${proxy}. If it is another server's, add its origin to ALLOWED_ORIGINS`,
    );
  };
}
