/**
 * Addresses of sockets in tickets (docs/conferences.md#tickets). A client completes a path with the host that it talks to. Where a
 * browser cannot do that, the address is complete.
 */
import type { Context } from "hono";
import { QUALITY_PATH, QUALITY_TAIL, QUALITY_TICKET } from "../../../shared/protocol/qoe.ts";
import { CALLED } from "../../base/cluster/carry.ts";
import { isOwnOrigin } from "../../base/http/origins.ts";
import type { HttpEnv } from "../../base/module.ts";
import type { QualityTickets } from "../quality/tickets.ts";

/** Whether the text is a host with or without a port, so that it can be part of an address. */
export const isHost = (text: string): boolean =>
  /^([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/i.test(text);

/** The host that the client called. A relayed call names it in a header; a client that forges it changes only its own answer. */
const hostOf = (c: Context<HttpEnv>): string => c.req.header(CALLED) ?? c.req.header("host") ?? "";

/** The WebSocket origin of the host that the client called; "" when that is unknown. */
function socketOrigin(c: Context<HttpEnv>): string {
  const host = hostOf(c);
  // An untrusted proxy hides the scheme. A page over TLS can open only sockets over TLS.
  const secure = c.var.client.secure || (c.req.header("origin") ?? "").startsWith("https:");
  return isHost(host) ? `${secure ? "wss" : "ws"}://${host}` : "";
}

/** The address of a signalling socket: complete for a page of another origin, which has another host. */
export function signallingAddress(c: Context<HttpEnv>, path: string): string {
  const origin = c.req.header("origin");
  const foreign = origin !== undefined && !isOwnOrigin(origin, hostOf(c));
  return foreign ? `${socketOrigin(c)}${path}` : path;
}

/** The address of the quality socket, with its ticket: complete for every page, since clients use it as it is. */
export async function qualityAddress(
  c: Context<HttpEnv>,
  tickets: Pick<QualityTickets, "sign">,
  holder: Parameters<QualityTickets["sign"]>[0],
): Promise<string> {
  const before = c.req.header("origin") === undefined ? "" : socketOrigin(c);
  const ticket = await tickets.sign(holder);
  return `${before}${QUALITY_PATH}?${QUALITY_TICKET}=${ticket}&${QUALITY_TAIL}=`;
}
