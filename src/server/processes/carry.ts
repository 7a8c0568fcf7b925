/** Carries sockets and calls on to another process, as they are. */
import { type IncomingMessage, request as httpRequest } from "node:http";
import type { Duplex } from "node:stream";
import type { Context } from "hono";
import { CARRIED, type Marks } from "./trust.ts";

/** ms that the other process may take to accept. */
const PATIENCE = 5000;

/**
 * A websocket's upgrade, byte for byte; afterwards the two sockets are one. Whoever of the two ends, ends the other.
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
    // Host is the client's: its Origin is compared with it
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
  // stays for good: a request that is given up may say so more than once
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
    // refused there: told as it is
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

/** Headers of a call that the other process has to see. */
const HEADERS = ["authorization", "supplier-id", "content-type", "accept-language"] as const;

/**
 * A call whose body was read already.
 *
 * @param body JSON; null: none
 * @throws whatever fetch throws when the other process cannot be reached
 */
export async function carryCall(
  home: string,
  c: Context,
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
