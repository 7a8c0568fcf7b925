/**
 * Signed tokens. Each names the account and the session. The type (`typ`) distinguishes access tokens from refresh tokens.
 */
import { createSecretKey } from "node:crypto";
import { errors, jwtVerify, type JWTPayload, SignJWT } from "jose";
import { z } from "zod";
import type { Clock } from "../../base/module.ts";

const claimsSchema = z.object({
  sub: z.string(),
  sid: z.string(),
  jti: z.string(),
  exp: z.number(),
});
export type TokenClaims = z.infer<typeof claimsSchema>;
type TokenType = "access" | "refresh";

export interface Tokens {
  /** `issued` and `expires` are in seconds since the epoch. `jti` makes tokens of one session different. */
  sign(
    type: TokenType,
    claims: { accountId: string; sessionId: string; jti: string; issued: number; expires: number },
  ): Promise<string>;
  /** @returns "expired" for a valid token that has expired; null for any other invalid token */
  verify(type: TokenType, token: string): Promise<TokenClaims | "expired" | null>;
  /** The claims of a valid token, even if it has expired. */
  verifyLate(type: TokenType, token: string): Promise<TokenClaims | null>;
}

export function createTokens(secret: string, clock: Clock): Tokens {
  const key = createSecretKey(Buffer.from(secret, "utf8"));
  const claimsOf = (type: TokenType, payload: JWTPayload): TokenClaims | null => {
    const claims = claimsSchema.safeParse(payload);
    return payload["typ"] === type && claims.success ? claims.data : null;
  };
  /** @returns null for a token without our signature, or an expired one of another type */
  const read = async (
    type: TokenType,
    token: string,
  ): Promise<{ readonly claims: TokenClaims | null; readonly expired: boolean } | null> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        currentDate: new Date(clock.now()),
      });
      return { claims: claimsOf(type, payload), expired: false };
    } catch (error) {
      // jose throws JWTExpired only after it has verified the signature.
      if (!(error instanceof errors.JWTExpired) || error.payload["typ"] !== type) return null;
      return { claims: claimsOf(type, error.payload), expired: true };
    }
  };
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
      const found = await read(type, token);
      return found?.expired === true ? "expired" : (found?.claims ?? null);
    },
    verifyLate: async (type, token) => (await read(type, token))?.claims ?? null,
  };
}
