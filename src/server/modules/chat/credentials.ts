/**
 * Chat passwords and tokens. A password is derived and never stored. A password bound to a session becomes invalid when the
 * session ends. The token key is also derived, so that no other token of the server is accepted here.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { SignJWT, errors, jwtVerify } from "jose";
import { z } from "zod";
import type { Clock } from "../../base/module.ts";
import { CHAT_LIMITS } from "./limits.ts";

const claimsSchema = z.object({
  typ: z.literal("chat"),
  sub: z.string().min(1),
  sid: z.string().optional(),
  exp: z.number(),
});

export interface ChatIdentity {
  readonly userName: string;
  /** Session whose end invalidates the token; null when the password was not bound to one. */
  readonly sessionId: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export type TokenCheck = { ok: true; identity: ChatIdentity } | { ok: false; expired: boolean };

export interface Credentials {
  /** The account's chat password. With a session id, the password is bound to that session. */
  password(userName: string, sessionId?: string): string;
  /** @returns the session to which the password is bound (null for none), or undefined when the password is wrong */
  checkPassword(userName: string, password: string): { sessionId: string | null } | undefined;
  /** @returns a signed token and its lifetime in seconds */
  issue(userName: string, sessionId: string | null): Promise<{ token: string; expiresIn: number }>;
  /** Never rejects. `expired` is true for a token with our signature that is only too old. */
  check(token: string): Promise<TokenCheck>;
}

export function createCredentials(secret: string, clock: Clock): Credentials {
  const key = createHmac("sha256", secret).update("chat-token").digest();

  const derive = (text: string): string =>
    createHmac("sha256", secret).update(text).digest("base64url").slice(0, 32);

  const password = (userName: string, sessionId?: string): string =>
    sessionId === undefined
      ? derive(`chat:${userName}`)
      : `${derive(`chat:${userName}:${sessionId}`)}.${sessionId}`;

  return {
    password,
    checkPassword(userName, given) {
      const dot = given.indexOf(".");
      const sessionId = dot === -1 ? undefined : given.slice(dot + 1);
      const expected = Buffer.from(password(userName, sessionId));
      const actual = Buffer.from(given);
      if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
      return { sessionId: sessionId ?? null };
    },
    async issue(userName, sessionId) {
      const at = Math.floor(clock.now() / 1000);
      const token = await new SignJWT({
        typ: "chat",
        ...(sessionId === null ? {} : { sid: sessionId }),
      })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(userName)
        .setIssuedAt(at)
        .setExpirationTime(at + CHAT_LIMITS.tokenTtlSeconds)
        .sign(key);
      return { token, expiresIn: CHAT_LIMITS.tokenTtlSeconds };
    },
    async check(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ["HS256"],
          currentDate: new Date(clock.now()),
        });
        const claims = claimsSchema.parse(payload);
        return {
          ok: true,
          identity: {
            userName: claims.sub,
            sessionId: claims.sid ?? null,
            expiresAt: claims.exp * 1000,
          },
        };
      } catch (error) {
        return { ok: false, expired: error instanceof errors.JWTExpired };
      }
    },
  };
}
