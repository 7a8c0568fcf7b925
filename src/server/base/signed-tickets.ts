/** Signed tickets of one kind. They need no storage, so they stay valid over a restart of the server. */
import { createHmac } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { z } from "../../shared/zod.ts";
import type { Clock } from "./module.ts";

export interface SignedTickets<C> {
  sign(claims: C): Promise<string>;
  /** @returns null for a ticket that is forged, damaged, of another kind or expired */
  verify(ticket: string): Promise<C | null>;
}

export interface TicketKind<S extends z.ZodObject> {
  /** Value of the claim `typ`. */
  readonly type: string;
  /** Derives the key from the secret. Each kind has its own, so that no other token of the server is accepted as this ticket. */
  readonly purpose: string;
  /** Lifetime in seconds. */
  readonly ttl: number;
  readonly claims: S;
}

export function createSignedTickets<S extends z.ZodObject>(
  secret: string,
  clock: Clock,
  kind: TicketKind<S>,
): SignedTickets<z.output<S>> {
  const key = createHmac("sha256", secret).update(kind.purpose).digest();
  return {
    sign(claims) {
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ typ: kind.type, ...claims })
        .setProtectedHeader({ alg: "HS256" })
        .setIssuedAt(now)
        .setExpirationTime(now + kind.ttl)
        .sign(key);
    },
    async verify(ticket) {
      try {
        const { payload } = await jwtVerify(ticket, key, {
          algorithms: ["HS256"],
          currentDate: new Date(clock.now()),
          requiredClaims: ["exp"],
        });
        const claims = kind.claims.safeParse(payload);
        return payload["typ"] === kind.type && claims.success ? claims.data : null;
      } catch {
        return null;
      }
    },
  };
}
