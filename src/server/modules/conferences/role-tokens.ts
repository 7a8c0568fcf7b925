/**
 * The token that authorises an admin's REST calls. It is signed against forgery and names the conference, the member, the role and
 * the login. It is worth nothing once that login has ended or the member has lost the role.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { type ConferenceRole, confrRoleSchema } from "../../../shared/protocol/confr-model.ts";
import type { Clock } from "../../base/module.ts";
import { TICKET_TTL } from "../tickets/tickets.ts";

const claimsSchema = z.object({
  confrId: z.string(),
  memName: z.string(),
  role: confrRoleSchema,
  /** The login with which the member entered or asked for a ticket. */
  sid: z.string(),
  /** Seconds since the epoch. */
  exp: z.number(),
});
export interface RoleClaims {
  readonly confrId: string;
  readonly memName: string;
  readonly role: ConferenceRole;
  readonly loginSession: string;
}
/** Signs a role token. */
export type SignRole = (claims: RoleClaims) => string;

export interface RoleTokens {
  readonly sign: SignRole;
  /** @returns null for a token that is forged, damaged or expired */
  verify(token: string): RoleClaims | null;
}

export function createRoleTokens(secret: string, clock: Clock): RoleTokens {
  // A separate key, as for tickets.
  const key = createHmac("sha256", secret).update("conference-role").digest();
  const mac = (body: string): Buffer => createHmac("sha256", key).update(body).digest();
  return {
    sign({ confrId, memName, role, loginSession: sid }) {
      const exp = Math.floor(clock.now() / 1000) + TICKET_TTL;
      const json = JSON.stringify({ confrId, memName, role, sid, exp });
      const body = Buffer.from(json).toString("base64url");
      return `${body}.${mac(body).toString("base64url")}`;
    },
    verify(token) {
      const [body, tail, ...rest] = token.split(".");
      if (body === undefined || tail === undefined || rest.length > 0) return null;
      const given = Buffer.from(tail, "base64url");
      const right = mac(body);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      try {
        const json: unknown = JSON.parse(Buffer.from(body, "base64url").toString());
        const claims = claimsSchema.parse(json);
        if (claims.exp <= clock.now() / 1000) return null;
        const { confrId, memName, role, sid } = claims;
        return { confrId, memName, role, loginSession: sid };
      } catch {
        return null;
      }
    },
  };
}
