/** Tickets of the sockets on which cores report. A ticket says whose core reports, and grants nothing else. */
import { createHash } from "node:crypto";
import { z } from "../../../shared/zod.ts";
import type { Clock } from "../../base/module.ts";
import { createSignedTickets, type SignedTickets } from "../../base/signed-tickets.ts";

/** Seconds. A core gets a new one for each attempt to connect. */
const TTL = 300;

const claimsSchema = z.object({
  accountId: z.string(),
  /** The ticket becomes invalid when this login ends. */
  sessionId: z.string(),
});
export type FleetClaims = z.infer<typeof claimsSchema>;

export const createFleetTickets = (secret: string, clock: Clock): SignedTickets<FleetClaims> =>
  createSignedTickets(secret, clock, {
    type: "fleet",
    purpose: "fleet-ticket",
    ttl: TTL,
    claims: claimsSchema,
  });

/**
 * Whether a login belongs to those that report. The answer is the same each time.
 *
 * @param share 0 to 1
 */
export function isSampled(sessionId: string, share: number): boolean {
  if (share >= 1) return true;
  const place = createHash("sha256").update(sessionId).digest().readUInt32BE(0);
  return place / 2 ** 32 < share;
}
