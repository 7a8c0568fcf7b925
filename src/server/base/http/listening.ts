/** Starts and ends the listening of an HTTP server. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../module.ts";

/** Milliseconds that running requests get to finish when the server stops. */
export const DRAIN_MS = 5000;

/**
 * @returns the port; for 0, the free port that was chosen
 * @throws Error of the socket, as when the port is in use
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Stops accepting connections. Running requests may finish until DRAIN_MS has passed. */
export function drain(server: Server, clock: Clock): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const late = clock.setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      late.cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}
