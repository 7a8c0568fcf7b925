/**
 * Tickets of the quality socket. They are issued together with the ticket of a call or conference and name the user and
 * conference whose records the socket may send. They grant nothing else, so a leaked ticket does little harm.
 */
import { createHmac } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Clock } from "../../base/module.ts";

/** Seconds; the same as the ticket with which it is issued. */
const TTL = 12 * 3600;

const claimsSchema = z.object({
  typ: z.literal("quality"),
  confrId: z.string(),
  memName: z.string(),
  /** Login session of the holder. The ticket becomes invalid when the session ends. */
  sessionId: z.string(),
});
export type QualityClaims = Omit<z.infer<typeof claimsSchema>, "typ">;

export interface QualityTickets {
  sign(claims: QualityClaims): Promise<string>;
  /** @returns null for a ticket that is forged, damaged, of another kind or expired */
  verify(ticket: string): Promise<QualityClaims | null>;
}

export function createQualityTickets(secret: string, clock: Clock): QualityTickets {
  const key = createHmac("sha256", secret).update("quality-ticket").digest();
  return {
    sign(claims) {
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ typ: "quality", ...claims })
        .setProtectedHeader({ alg: "HS256" })
        .setIssuedAt(now)
        .setExpirationTime(now + TTL)
        .sign(key);
    },
    async verify(ticket) {
      try {
        const { payload } = await jwtVerify(ticket, key, {
          algorithms: ["HS256"],
          currentDate: new Date(clock.now()),
          requiredClaims: ["exp"],
        });
        const claims = claimsSchema.safeParse(payload);
        if (!claims.success) return null;
        const { confrId, memName, sessionId } = claims.data;
        return { confrId, memName, sessionId };
      } catch {
        return null;
      }
    },
  };
}
