/** A person's own data, password and logins (docs/session.md#profile). The calls are ours. */
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE, pageQuerySchema, pageSchema } from "./call.ts";
import { idSchema } from "./entities.ts";
import {
  mobileSchema,
  newPasswordSchema,
  requestKeySchema,
  sentCodeSchema,
  smsCodeSchema,
} from "./registration.ts";

const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);
/** Id of a login. */
export const sessionIdSchema = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "登录编号格式不正确");

const OWN = { company: "none", guests: true } as const;

const profileSchema = z.object({
  id: idSchema,
  username: z.string(),
  nickname: z.string(),
  avatar: z.string(),
  introduction: z.string(),
  /** The mobile that the person proved, with its middle hidden; empty without one. */
  mobile: z.string(),
  /** ISO 8601 */
  createTime: z.string(),
});

export const profileCall = defineCall({
  id: "profile.get",
  method: "GET",
  path: "/uaa/api/profile",
  summary: "The caller's own data",
  auth: "bearer",
  access: OWN,
  shows: ["profile"],
  page: true,
  data: profileSchema,
});

export const profileUpdateCall = defineCall({
  id: "profile.update",
  method: "PUT",
  path: "/uaa/api/profile",
  summary: "Change the caller's own nickname and introduction; what is left out stays",
  auth: "bearer",
  access: OWN,
  touches: ["profile"],
  personal: true,
  page: true,
  body: z.object({
    nickname: z.string().trim().min(1).max(32).refine(hasNoNul, NUL_MESSAGE).optional(),
    introduction: text(200).optional(),
  }),
  data: profileSchema,
});

export const profilePasswordCall = defineCall({
  id: "profile.password",
  method: "PUT",
  path: "/uaa/api/profile/password",
  summary:
    "A new password by the old one, or by a code to the caller's proved mobile (profile.sendCode); ends the caller's other logins",
  auth: "bearer",
  access: OWN,
  touches: ["sessions"],
  page: true,
  body: z
    .object({
      oldPassword: z.string().min(1).max(200).optional(),
      smsCode: smsCodeSchema.optional(),
      requestKey: requestKeySchema,
      newPassword: newPasswordSchema,
    })
    .refine(({ oldPassword, smsCode }) => oldPassword !== undefined || smsCode !== undefined, {
      path: ["oldPassword"],
      message: "必填",
    }),
});

export const profileCodeCall = defineCall({
  id: "profile.sendCode",
  method: "POST",
  path: "/uaa/api/profile/smsCode",
  summary: "Send a code to the caller's proved mobile, with the limits of every code",
  auth: "bearer",
  access: OWN,
  touches: [],
  page: true,
  data: sentCodeSchema,
});

export const profileMobileCall = defineCall({
  id: "profile.mobile",
  method: "PUT",
  path: "/uaa/api/profile/mobile",
  summary:
    "A new mobile, proved by a code to it (sms.send), by the caller's password, and by a code to the mobile so far (profile.sendCode), which is told. Who has lost that one asks an administrator (employees.releaseMobile)",
  auth: "bearer",
  access: OWN,
  touches: ["profile"],
  personal: true,
  page: true,
  body: z.object({
    mobile: mobileSchema,
    smsCode: smsCodeSchema,
    requestKey: requestKeySchema,
    /** The code that the mobile so far got, and its key; left out for the first mobile. */
    oldCode: smsCodeSchema.optional(),
    oldRequestKey: requestKeySchema,
    password: z.string().min(1).max(200),
  }),
});

export const profileUnlockCall = defineCall({
  id: "profile.unlock",
  method: "POST",
  path: "/uaa/api/profile/unlock",
  summary: "Whether this is the caller's password; the console asks it to end its lock",
  auth: "bearer",
  access: OWN,
  body: z.object({ password: z.string().min(1).max(200) }),
});

/** A login: what a person sees of it, and an administrator too. */
export const loginFields = {
  id: sessionIdSchema,
  systemName: z.string(),
  address: z.string(),
  userAgent: z.string(),
  /** ISO 8601 */
  createTime: z.string(),
  /** When its token was renewed last. */
  activeTime: z.string(),
  /** Its access token is still good, so a browser probably has the console open. */
  active: z.boolean(),
  /** It is the login of this call. */
  current: z.boolean(),
};

export const ownSessionsCall = defineCall({
  id: "profile.sessions",
  method: "GET",
  path: "/uaa/api/profile/sessions",
  summary: "A page of the caller's own logins that go on, the latest active first",
  auth: "bearer",
  access: OWN,
  shows: ["sessions"],
  page: true,
  query: pageQuerySchema.omit({ keyword: true }),
  data: pageSchema(z.object(loginFields)),
});

export const endOwnSessionCall = defineCall({
  id: "profile.endSession",
  method: "DELETE",
  path: "/uaa/api/profile/sessions/{id}",
  summary: "End another login of the caller; the login of the call itself ends by a logout",
  auth: "bearer",
  access: OWN,
  touches: ["sessions"],
  page: true,
  params: z.object({ id: sessionIdSchema }),
});

export const profileCalls = {
  profile: profileCall,
  profileUpdate: profileUpdateCall,
  profilePassword: profilePasswordCall,
  profileCode: profileCodeCall,
  profileMobile: profileMobileCall,
  profileUnlock: profileUnlockCall,
  ownSessions: ownSessionsCall,
  endOwnSession: endOwnSessionCall,
};
