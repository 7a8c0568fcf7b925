/** Relays sockets and calls to another process unchanged. */
import { type IncomingMessage, request as httpRequest } from "node:http";
import type { Duplex } from "node:stream";
import type { Context } from "hono";
import type { HttpEnv } from "../module.ts";
import { CARRIED, type Marks } from "./trust.ts";

/** Milliseconds that the other process may take to accept. */
const PATIENCE = 5000;

/**
 * Relays a WebSocket upgrade byte for byte and then joins the two sockets. When either ends, the other ends too.
 *
 * @param refuse answers the client when the other process cannot be reached
 */
export function carryUpgrade(
  home: string,
  from: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
  mark: string,
  refuse: () => void,
): void {
  const { request, socket, head } = from;
  const onward = httpRequest(new URL(request.url ?? "/", home), {
    headers: { ...request.headers, [CARRIED]: mark },
    timeout: PATIENCE,
    agent: false,
  });
  let settled = false;
  const fail = (): void => {
    if (settled) return;
    settled = true;
    onward.destroy();
    if (!socket.destroyed) refuse();
  };
  onward.once("timeout", fail);
  // This listener stays, because an aborted request may emit more than one error.
  onward.on("error", fail);
  socket.once("close", () => onward.destroy());
  const headOf = (response: IncomingMessage): string => {
    const lines = [`HTTP/1.1 ${response.statusCode} ${response.statusMessage}`];
    for (let i = 0; i + 1 < response.rawHeaders.length; i += 2) {
      lines.push(`${response.rawHeaders[i]}: ${response.rawHeaders[i + 1]}`);
    }
    return `${lines.join("\r\n")}\r\n\r\n`;
  };
  onward.once("response", (response) => {
    settled = true;
    // The other process refused the upgrade. Pass its answer on unchanged.
    socket.write(headOf(response));
    response.pipe(socket);
  });
  onward.once("upgrade", (response, other, otherHead) => {
    settled = true;
    other.setTimeout(0);
    other.on("error", () => socket.destroy());
    other.once("close", () => socket.destroy());
    socket.once("close", () => other.destroy());
    if (socket.destroyed) {
      other.destroy();
      return;
    }
    socket.write(headOf(response));
    if (otherHead.length > 0) socket.write(otherHead);
    if (head.length > 0) other.write(head);
    socket.pipe(other);
    other.pipe(socket);
  });
  onward.end();
}

/** Headers of a call that the other process needs. */
const HEADERS = [
  "authorization",
  "supplier-id",
  "content-type",
  "accept-language",
  "origin",
] as const;
/** The hosts that the client may have called (`Client.hosts`), by comma: this process knows which proxies it trusts. */
export const CALLED = "x-console-called";

/**
 * Relays a call whose body was already read.
 *
 * @param body the JSON value; null: no body
 * @throws the error of fetch when the other process cannot be reached
 */
export async function carryCall(
  home: string,
  c: Context<HttpEnv>,
  body: unknown,
  marks: Marks,
  address: string,
): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const { method } = c.req;
  const headers = new Headers({ [CARRIED]: marks.make(method, pathname + search, address) });
  for (const name of HEADERS) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  headers.set(CALLED, c.var.client.hosts.join(","));
  const answer = await fetch(new URL(pathname + search, home), {
    method,
    headers,
    ...(body === null || method === "GET" ? {} : { body: JSON.stringify(body) }),
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE),
  });
  return new Response(await answer.text(), {
    status: answer.status,
    headers: {
      "content-type": answer.headers.get("content-type") ?? "application/json",
      "cache-control": "no-store",
    },
  });
}
