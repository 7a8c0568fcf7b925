/**
 * How a process is reached and called. The URL by which the other processes reach this one, when PROCESS_URL is not set: the listening address, or the machine's
 * first address.
 */
import { hostname, type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import type { ServerConfig } from "../config.ts";

/** @throws Error when the URL cannot be determined, so that PROCESS_URL is required */
export function processUrl(
  { PROCESS_URL, HOST, PORT }: Pick<ServerConfig, "PROCESS_URL" | "HOST" | "PORT">,
  interfaces: () => Readonly<
    Record<string, Pick<NetworkInterfaceInfo, "address" | "family" | "internal">[] | undefined>
  > = networkInterfaces,
): string {
  if (PROCESS_URL !== undefined) return PROCESS_URL;
  if (PORT === 0) throw new Error("REDIS_URL needs a PORT that is not 0, or PROCESS_URL");
  const everywhere = HOST === "0.0.0.0" || HOST === "::";
  const first = Object.values(interfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal);
  const host = everywhere ? (first?.address ?? "127.0.0.1") : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}

/** Host and port of this process, for people. */
export const processName = (
  config: Pick<ServerConfig, "PROCESS_URL" | "HOST" | "PORT" | "REDIS_URL">,
): string =>
  config.REDIS_URL === undefined && config.PROCESS_URL === undefined
    ? `${hostname()}:${config.PORT}`
    : new URL(processUrl(config)).host;
