/** The second factor of a login (docs/session.md#two-factor). The calls are ours. */
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";
import { idSchema } from "./entities.ts";

const OWN = { company: "none", guests: true } as const;
const BASE = "/uaa/api/profile/twoFactor";
/** A code of the authenticator, or a recovery code. */
export const factorCodeSchema = z.string().trim().min(6).max(32);
const recoverySchema = z.object({ recoveryCodes: z.array(z.string()) });

export const twoFactorCall = defineCall({
  id: "twoFactor.get",
  method: "GET",
  path: BASE,
  summary: "Whether the caller's logins need a code, and how many recovery codes are left",
  auth: "bearer",
  access: OWN,
  shows: ["twoFactor"],
  page: true,
  data: z.object({
    on: z.boolean(),
    /** ISO 8601 */
    since: z.string().nullable(),
    recoveryCodes: z.number().int(),
  }),
});

export const twoFactorBeginCall = defineCall({
  id: "twoFactor.begin",
  method: "POST",
  path: `${BASE}/begin`,
  summary: "A new secret for the caller's authenticator; it counts once a code confirms it",
  auth: "bearer",
  access: OWN,
  touches: [],
  page: true,
  body: z.object({ password: z.string().min(1).max(200) }),
  data: z.object({
    /** base32 */
    secret: z.string(),
    /** What the QR picture says: otpauth://totp/… */
    uri: z.string(),
  }),
});

export const twoFactorConfirmCall = defineCall({
  id: "twoFactor.confirm",
  method: "POST",
  path: `${BASE}/confirm`,
  summary: "The first code: from now on logins need one. Answers the recovery codes, once",
  auth: "bearer",
  access: OWN,
  touches: ["twoFactor"],
  personal: true,
  page: true,
  body: z.object({ code: factorCodeSchema }),
  data: recoverySchema,
});

export const twoFactorRecoveryCall = defineCall({
  id: "twoFactor.recovery",
  method: "POST",
  path: `${BASE}/recovery`,
  summary: "New recovery codes for a code; the old ones are no longer good",
  auth: "bearer",
  access: OWN,
  touches: ["twoFactor"],
  personal: true,
  page: true,
  body: z.object({ code: factorCodeSchema }),
  data: recoverySchema,
});

export const twoFactorEndCall = defineCall({
  id: "twoFactor.end",
  method: "POST",
  path: `${BASE}/end`,
  summary: "Logins need no code any more; needs a code or a recovery code",
  auth: "bearer",
  access: OWN,
  touches: ["twoFactor"],
  personal: true,
  page: true,
  body: z.object({ code: factorCodeSchema }),
});

export const twoFactorResetCall = defineCall({
  id: "twoFactor.reset",
  method: "PUT",
  path: "/scm-supplier/api/sec/employees/{id}/twoFactor/reset",
  summary:
    "End the second factor of an employee who lost the authenticator. The caller must hold the permission in each company of that person",
  auth: "bearer",
  access: { company: "required", permissions: ["system:twofactor:reset"] },
  touches: ["twoFactor"],
  page: true,
  params: z.object({ id: idSchema }),
});

export const twoFactorCalls = {
  twoFactor: twoFactorCall,
  twoFactorBegin: twoFactorBeginCall,
  twoFactorConfirm: twoFactorConfirmCall,
  twoFactorRecovery: twoFactorRecoveryCall,
  twoFactorEnd: twoFactorEndCall,
  twoFactorReset: twoFactorResetCall,
};
