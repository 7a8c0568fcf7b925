/**
 * Tickets of the quality socket. They are part of the address that the ticket of a call or conference names, and say which user and
 * conference the records of the socket are about. They grant nothing else, so a leaked address does little harm.
 */
import { z } from "../../../shared/zod.ts";
import type { Clock } from "../../base/module.ts";
import { createSignedTickets, type SignedTickets } from "../../base/signed-tickets.ts";

/** Lifetime in seconds, the same as that of the ticket with which it is issued. */
const TTL = 12 * 3600;

const claimsSchema = z.object({
  confrId: z.string(),
  memName: z.string(),
  /** Login session of the holder. The ticket becomes invalid when the session ends. */
  sessionId: z.string(),
});
export type QualityClaims = z.infer<typeof claimsSchema>;
export type QualityTickets = SignedTickets<QualityClaims>;

export const createQualityTickets = (secret: string, clock: Clock): QualityTickets =>
  createSignedTickets(secret, clock, {
    type: "quality",
    purpose: "quality-ticket",
    ttl: TTL,
    claims: claimsSchema,
  });
