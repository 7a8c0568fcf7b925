/** Tickets of calls and conferences (docs/conferences.md#tickets). */
import { confrRoleSchema } from "../../../shared/protocol/confr-model.ts";
import { z } from "../../../shared/zod.ts";
import type { Clock } from "../../base/module.ts";
import { createSignedTickets, type SignedTickets } from "../../base/signed-tickets.ts";

/** Seconds. Longer than any shift, so that no call ends because its ticket has expired. */
export const TICKET_TTL = 12 * 3600;

const claimsSchema = z.object({
  confrId: z.string(),
  memName: z.string(),
  /** Login session of the holder. Its end closes the sockets that entered with this ticket. */
  sessionId: z.string(),
  /** The role requested for a conference. */
  role: confrRoleSchema.optional(),
});
export type TicketClaims = z.infer<typeof claimsSchema>;
export type Tickets = SignedTickets<TicketClaims>;

export const createTickets = (secret: string, clock: Clock): Tickets =>
  createSignedTickets(secret, clock, {
    type: "ticket",
    purpose: "conference-ticket",
    ttl: TICKET_TTL,
    claims: claimsSchema,
  });
