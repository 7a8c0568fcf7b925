/** Why a socket of a core was lost, as few words that can be counted (docs/server.md#reports-of-cores). Pure. */

export const SOCKET_LOSSES = [
  /** The connection broke without a word (1006). */
  "network",
  /** This machine has no network. */
  "offline",
  /** Nothing was heard for too long. */
  "silent",
  /** It did not open in time, or there was no address. */
  "unopened",
  /** The server stops or cannot serve now. */
  "server",
  /** The login has ended, or the ticket is not good. */
  "refused",
  /** Another socket has the place. */
  "replaced",
  /** Too many sockets or frames. */
  "limited",
  "other",
] as const;
export type SocketLoss = (typeof SOCKET_LOSSES)[number];

/**
 * Losses that belong to a normal day: a closed laptop, a deployment, a login that ended. Rules of alerts do not count them
 * (docs/server.md#alerts).
 */
const USUAL: readonly string[] = [
  "offline",
  "server",
  "refused",
  "replaced",
] satisfies SocketLoss[];
export const isUsualLoss = (loss: string): boolean => USUAL.includes(loss);

const BY_CODE: Readonly<Record<number, SocketLoss>> = {
  0: "unopened",
  1001: "server",
  1006: "network",
  1011: "server",
  1012: "server",
  1013: "server",
  4000: "silent",
  4401: "refused",
  4403: "refused",
  4409: "replaced",
  4429: "limited",
};

/**
 * @param code of the close; 0 when there was no address
 * @param wasOpen whether the connection had been opened
 */
export function socketLoss(code: number, reason: string, wasOpen: boolean): SocketLoss {
  if (reason === "offline") return "offline";
  const loss = BY_CODE[code] ?? "other";
  return !wasOpen && (loss === "network" || loss === "silent") ? "unopened" : loss;
}
