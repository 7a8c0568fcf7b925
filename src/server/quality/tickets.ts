/**
 * Tickets of the quality socket: they come with the ticket of a call or conference and say whose records of which conference the
 * socket brings. They open nothing else, so that one that is lost does no harm.
 */
import { createHmac } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Clock } from "../module.ts";

/** Seconds: as long as the ticket that it comes with. */
const TTL = 12 * 3600;

const claimsSchema = z.object({
  typ: z.literal("quality"),
  confrId: z.string(),
  memName: z.string(),
  /** Login session of the holder; the ticket is void when it has ended. */
  sessionId: z.string(),
});
export type QualityClaims = Omit<z.infer<typeof claimsSchema>, "typ">;

export interface QualityTickets {
  sign(claims: QualityClaims): Promise<string>;
  /** @returns null for a ticket that is forged, damaged, of another kind or over its time */
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
