/** Login, refresh, logout and the account (docs/session.md#login). */
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE } from "./call.ts";
import { accountInfoSchema } from "./entities.ts";

export const tokenGrantSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  /** Issued at, seconds since the epoch. */
  iat: z.number().int(),
  /** Seconds that the access token lives. */
  expires_in: z.number().int().positive(),
});
export type TokenGrant = z.infer<typeof tokenGrantSchema>;

export const loginCall = defineCall({
  id: "auth.login",
  method: "POST",
  path: "/uaa/login/username",
  summary: "Log in by user name; basic auth chosen by system name",
  auth: "client",
  bodyType: "form",
  body: z.object({
    username: z.string().trim().min(1).max(64).refine(hasNoNul, NUL_MESSAGE),
    password: z.string().min(1).max(200),
    /** Of the authenticator, or a recovery code, where the account asks for one (docs/session.md#two-factor). */
    code: z.string().trim().max(32).optional(),
    grant_type: z.literal("password"),
  }),
  data: tokenGrantSchema,
});

export const refreshCall = defineCall({
  id: "auth.refresh",
  method: "POST",
  path: "/uaa/refreshToken",
  summary: "A new pair of tokens for a refresh token, which is used up by it",
  auth: "client",
  bodyType: "form",
  body: z.object({
    refresh_token: z.string().min(1).max(4096),
    grant_type: z.literal("refresh_token"),
  }),
  data: tokenGrantSchema,
});

export const logoutCall = defineCall({
  id: "auth.logout",
  method: "POST",
  path: "/uaa/logout",
  summary: "End the session of the token",
  auth: "bearer",
  access: { company: "none", guests: true },
});

export const accountCall = defineCall({
  id: "auth.account",
  method: "GET",
  path: "/uaa/api/account",
  summary: "The account of the token; code 1 is failure",
  auth: "bearer",
  access: { company: "optional", guests: true },
  query: z.object({ systemName: z.string().max(64).default("web-training") }),
  data: accountInfoSchema,
});

export const authCalls = {
  login: loginCall,
  refresh: refreshCall,
  logout: logoutCall,
  account: accountCall,
};
