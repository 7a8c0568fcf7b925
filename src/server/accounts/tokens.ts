/** Signed tokens. An access token names account and session; a refresh token names the session and its own number in it. */
import { createSecretKey } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Clock } from "../module.ts";

const claimsSchema = z.object({
  sub: z.string(),
  sid: z.string(),
  jti: z.string(),
  exp: z.number(),
});
export type TokenClaims = z.infer<typeof claimsSchema>;
type TokenType = "access" | "refresh";

export interface Tokens {
  /** @param expires seconds since the epoch */
  sign(
    type: TokenType,
    claims: { accountId: string; sessionId: string; jti: string; issued: number; expires: number },
  ): Promise<string>;
  /** @returns "expired" for a token that was good once; null for anything else that is not good */
  verify(type: TokenType, token: string): Promise<TokenClaims | "expired" | null>;
}

export function createTokens(secret: string, clock: Clock): Tokens {
  const key = createSecretKey(Buffer.from(secret, "utf8"));
  return {
    sign(type, { accountId, sessionId, jti, issued, expires }) {
      return new SignJWT({ typ: type, sid: sessionId })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setSubject(accountId)
        .setJti(jti)
        .setIssuedAt(issued)
        .setExpirationTime(expires)
        .sign(key);
    },
    async verify(type, token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ["HS256"],
          currentDate: new Date(clock.now()),
        });
        const claims = claimsSchema.safeParse(payload);
        return payload["typ"] === type && claims.success ? claims.data : null;
      } catch (error) {
        // thrown only after the signature was found good
        if (error instanceof errors.JWTExpired && error.payload["typ"] === type) return "expired";
        return null;
      }
    },
  };
}
