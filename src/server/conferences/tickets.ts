/** Tickets (conferencing spec §3): signed, so that entering needs no memory of them and works after a restart. */
import { createHmac } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { confrRoleSchema } from "../../shared/protocol/confr-signalling.ts";
import type { Clock } from "../module.ts";

/** Seconds: longer than any shift, so that a call is never cut by its ticket. */
export const TICKET_TTL = 12 * 3600;

const claimsSchema = z.object({
  typ: z.literal("ticket"),
  confrId: z.string(),
  memName: z.string(),
  /** Login session of the holder: its end closes the sockets that entered by this ticket. */
  sessionId: z.string(),
  /** Of a conference of many: wanted on entering. */
  role: confrRoleSchema.optional(),
});
export type TicketClaims = Omit<z.infer<typeof claimsSchema>, "typ">;

export interface Tickets {
  sign(claims: TicketClaims): Promise<string>;
  /** @returns null for a ticket that is forged, damaged, of another kind or over its time */
  verify(tktId: string): Promise<TicketClaims | null>;
}

export function createTickets(secret: string, clock: Clock): Tickets {
  // a key of its own: an access token, signed by the same secret elsewhere, can never pass for a ticket
  const key = createHmac("sha256", secret).update("conference-ticket").digest();
  return {
    sign(claims) {
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ typ: "ticket", ...claims })
        .setProtectedHeader({ alg: "HS256" })
        .setIssuedAt(now)
        .setExpirationTime(now + TICKET_TTL)
        .sign(key);
    },
    async verify(tktId) {
      try {
        const { payload } = await jwtVerify(tktId, key, {
          algorithms: ["HS256"],
          currentDate: new Date(clock.now()),
          requiredClaims: ["exp"],
        });
        const claims = claimsSchema.safeParse(payload);
        if (!claims.success) return null;
        const { confrId, memName, sessionId, role } = claims.data;
        return { confrId, memName, sessionId, ...(role === undefined ? {} : { role }) };
      } catch {
        return null;
      }
    },
  };
}
