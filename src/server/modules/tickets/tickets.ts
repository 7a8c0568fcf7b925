/** Tickets (docs/conferences.md#tickets): signed, so that entering needs no memory of them and works after a restart. */
import { createHmac } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { confrRoleSchema } from "../../../shared/protocol/confr-signalling.ts";
import type { Clock } from "../../base/module.ts";

/** Seconds. Longer than any shift, so that a call is never cut by an expired ticket. */
export const TICKET_TTL = 12 * 3600;

const claimsSchema = z.object({
  typ: z.literal("ticket"),
  confrId: z.string(),
  memName: z.string(),
  /** Login session of the holder. Its end closes the sockets that entered with this ticket. */
  sessionId: z.string(),
  /** The role requested for a conference. */
  role: confrRoleSchema.optional(),
});
export type TicketClaims = Omit<z.infer<typeof claimsSchema>, "typ">;

export interface Tickets {
  sign(claims: TicketClaims): Promise<string>;
  /** @returns null for a ticket that is forged, damaged, of another kind or expired */
  verify(tktId: string): Promise<TicketClaims | null>;
}

export function createTickets(secret: string, clock: Clock): Tickets {
  // A separate key, so that an access token signed with the same secret is never accepted as a ticket.
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
