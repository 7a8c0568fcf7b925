/**
 * Addresses of sockets in tickets (docs/conferences.md#tickets). A client completes a path, which begins with BASE_PATH, with the host that
 * it talks to. Where a
 * browser cannot do that, the address is complete.
 */
import type { Context } from "hono";
import { QUALITY_PATH, QUALITY_TAIL, QUALITY_TICKET } from "../../../shared/protocol/qoe.ts";
import { CALLED } from "../../base/cluster/carry.ts";
import { isHost, isOwnOrigin } from "../../base/http/origins.ts";
import type { HttpEnv } from "../../base/module.ts";
import type { QualityTickets } from "./quality-tickets.ts";

/** The hosts that the client may have called. A relayed call names them in a header; a client that forges it changes only its own answer. */
const hostsOf = (c: Context<HttpEnv>): readonly string[] =>
  c.req.header(CALLED)?.split(",") ?? c.var.client.hosts;

/** The WebSocket origin of the host that the client called; "" when that is unknown. */
function socketOrigin(c: Context<HttpEnv>): string {
  const origin = c.req.header("origin") ?? "";
  const hosts = hostsOf(c);
  // A page of this server names the host that it came from.
  const host = isOwnOrigin(origin, hosts) ? new URL(origin).host : (hosts[0] ?? "");
  // An untrusted proxy hides the scheme. A page over TLS can open only sockets over TLS.
  const secure = c.var.client.secure || origin.startsWith("https:");
  return isHost(host) ? `${secure ? "wss" : "ws"}://${host}` : "";
}

/** The address of a signalling socket: complete for a page of another origin, which has another host. */
export function signallingAddress(c: Context<HttpEnv>, base: string, path: string): string {
  const origin = c.req.header("origin");
  const foreign = origin !== undefined && !isOwnOrigin(origin, hostsOf(c));
  return `${foreign ? socketOrigin(c) : ""}${base}${path}`;
}

/** The address of the quality socket, with its ticket: complete for every page, since clients use it as it is. */
export async function qualityAddress(
  c: Context<HttpEnv>,
  base: string,
  tickets: Pick<QualityTickets, "sign">,
  holder: Parameters<QualityTickets["sign"]>[0],
): Promise<string> {
  const before = c.req.header("origin") === undefined ? "" : socketOrigin(c);
  const ticket = await tickets.sign(holder);
  return `${before}${base}${QUALITY_PATH}?${QUALITY_TICKET}=${ticket}&${QUALITY_TAIL}=`;
}
