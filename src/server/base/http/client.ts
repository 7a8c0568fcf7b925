/**
 * Who sent a request, and what they called. Behind a proxy the socket's address is the proxy's, and X-Forwarded-For names the client;
 * the host may be the proxy's too, and X-Forwarded-Host and X-Forwarded-Port name what the client called. Anyone can send these
 * headers, so only what trusted proxies wrote counts.
 */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { Context } from "hono";
import { isHost } from "./origins.ts";

/** Trusted proxies: a list of networks, or the number of proxies that every request passes. */
export type TrustedProxies =
  | { readonly hops: number }
  | { readonly ranges: readonly { readonly address: string; readonly bits: number }[] };

export interface Client {
  /** Address of the client. */
  readonly address: string;
  /** The key for limits: the address, or for IPv6 its /64 network, because one customer owns all of it. */
  readonly key: string;
  /** Whether the client uses TLS, to this server or to a trusted proxy. */
  readonly secure: boolean;
  /**
   * Hosts, with their ports, that the client may have called, the likeliest first: that of the request, and those that a trusted proxy
   * names. Empty when the request names none.
   */
  readonly hosts: readonly string[];
}

export interface Clients {
  clientOf(request: Pick<IncomingMessage, "socket" | "headers">): Client;
  /** Whether connections from this address carry the requests of many clients. */
  isProxy(address: string): boolean;
}

/** @returns null when the text is neither a number of hops nor a list of addresses and networks */
export function parseProxies(text: string): TrustedProxies | null {
  if (/^\d$/.test(text)) return { hops: Number(text) };
  const ranges = text.split(",").flatMap((part) => {
    const [address = "", bits, ...rest] = part.trim().split("/");
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    const given = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    const good = family !== 0 && rest.length === 0 && given >= 0 && given <= most;
    return good ? [{ address, bits: given }] : [];
  });
  return ranges.length === text.split(",").length ? { ranges } : null;
}

export function createClients(trusted: TrustedProxies): Clients {
  const list = new BlockList();
  if ("ranges" in trusted) {
    for (const { address, bits } of trusted.ranges) list.addSubnet(address, bits, family(address));
  }
  const isProxy = (address: string): boolean => {
    if ("hops" in trusted) return trusted.hops > 0;
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && list.check(plain, family(plain));
  };
  return {
    isProxy,
    clientOf({ socket, headers }) {
      const remote = plainAddress(socket.remoteAddress ?? "");
      const forwardedFor = String(headers["x-forwarded-for"] ?? "")
        .split(",")
        .map((part) => plainAddress(part.trim()))
        .toReversed();
      let address = remote;
      let passed = 0;
      for (const before of forwardedFor) {
        const trust = "hops" in trusted ? passed < trusted.hops : isProxy(address);
        // A name or an empty entry is not an address. Do not trust anything before it.
        if (!trust || isIP(before) === 0) break;
        address = before;
        passed += 1;
      }
      const proto = String(headers["x-forwarded-proto"] ?? "").split(",")[0];
      const encrypted = "encrypted" in socket && socket.encrypted === true;
      return {
        address,
        key: keyOf(address),
        hosts: hostsOf(headers, isProxy(remote)),
        secure: encrypted || (isProxy(remote) && proto?.trim().toLowerCase() === "https"),
      };
    },
  };
}

/** A proxy that passes others' headers on appends to them, so the last part is its own. */
const lastPart = (value: string | string[] | undefined): string =>
  String(value ?? "")
    .split(",")
    .at(-1)
    ?.trim() ?? "";

function hostsOf(headers: IncomingMessage["headers"], byProxy: boolean): readonly string[] {
  const own = headers.host ?? "";
  if (!byProxy) return own === "" ? [] : [own];
  const port = lastPart(headers["x-forwarded-port"]);
  const said = [lastPart(headers["x-forwarded-host"]), own].filter(isHost);
  const hosts = said.flatMap((host) =>
    /^\d{1,5}$/.test(port) && !/:\d+$/.test(host) ? [`${host}:${port}`, host] : [host],
  );
  return [...new Set(own === "" ? hosts : [...hosts, own])];
}

/** The client of a request. A request that was made inside the process has no socket. */
export function clientOf(c: Context, clients: Clients): Client {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  if (incoming !== undefined) return clients.clientOf(incoming);
  const host = c.req.header("host");
  return { address: "", key: "", secure: false, hosts: host === undefined ? [] : [host] };
}

const family = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");

/** Removes a port, brackets, a zone and the IPv6 form of an IPv4 address. */
function plainAddress(text: string): string {
  const inner = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  const address = inner.replace(/%.*$/, "");
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}

/** The first 64 bits of an IPv6 address. */
function keyOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
  return `${groups.slice(0, 4).join(":")}::/64`;
}
