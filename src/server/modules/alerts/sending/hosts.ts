/**
 * Which hosts a webhook may name. People of a company choose the address, so without these rules the server would make requests to its
 * own inner network for them (docs/server.md#sending-alerts).
 */
import { lookup as lookUp, type LookupAddress, type LookupOptions } from "node:dns";
import { BlockList, isIP } from "node:net";

/** Networks that are not the public Internet. */
const INNER = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  INNER.addSubnet(network, bits, "ipv4");
}
// In IPv6 only 2000::/3 is the public Internet. Of it, 2002::/16 and 2001::/32 lead to addresses of IPv4.
const PUBLIC_SIX = new BlockList();
PUBLIC_SIX.addSubnet("2000::", 3, "ipv6");
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const) {
  INNER.addSubnet(network, bits, "ipv6");
}

/** Whether an IP address belongs to the public Internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !INNER.check(address, "ipv4");
  return family === 6 && PUBLIC_SIX.check(address, "ipv6") && !INNER.check(address, "ipv6");
}

const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Why nothing may be sent to an address, in words; null when its text allows it. */
export function refusedAddress(target: string, allowed: readonly string[]): string | null {
  if (!URL.canParse(target)) return "地址不正确";
  const url = new URL(target);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return "地址必须以 https:// 或 http:// 开头";
  }
  if (url.username !== "" || url.password !== "") return "地址不能包含用户名和密码";
  if (isAllowed(url, allowed)) return null;
  const host = bare(url.hostname);
  const inner =
    isIP(host) === 0 ? !host.includes(".") || host.endsWith(".local") : !isPublicAddress(host);
  return inner ? "不能发送到内网地址，请联系平台管理员" : null;
}

/** Whether ALERT_HOSTS names the host, with this port or without a port. */
export const isAllowed = (url: URL, allowed: readonly string[]): boolean => {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return allowed.includes(url.hostname) || allowed.includes(`${url.hostname}:${port}`);
};

type Done = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * Looks a name up and answers only addresses of the public Internet, so that a name that leads to the inner network, or does so the second
 * time, is refused where the connection is made.
 */
export function publicLookup(hostname: string, options: LookupOptions, done: Done): void {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, []);
    const open = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = open;
    if (first === undefined) return done(new Error("不能发送到内网地址，请联系平台管理员"), []);
    if (options.all === true) done(null, open);
    else done(null, first.address, first.family);
  });
}
