/** The login and what it may see, as every tab has it. */
import { z } from "../../zod.ts";
import { systemNameSchema } from "../config.ts";
import {
  accountInfoSchema,
  employeeSchema,
  menuEntrySchema,
  roleSchema,
} from "../rest/entities.ts";

export const expiredSchema = z.object({
  /** The one tab that shows the question; null during a call or conference, or when there is no tab. */
  tabId: z.string().nullable(),
  /** The person chose to stay on the page; a bar keeps offering the login. */
  dismissed: z.boolean(),
});

/** The last four: somebody else ended it. */
const leftSchema = z.enum([
  "logout",
  "expired",
  "signed-out",
  "dismissed",
  "disabled",
  "company-locked",
]);
export type Left = z.infer<typeof leftSchema>;

export const sessionSliceSchema = z.object({
  /** restoring: the core has not read its storage yet. */
  status: z.enum(["restoring", "anonymous", "authenticated"]),
  /** Whether the account, roles and menus of this session are loaded. */
  infoLoaded: z.boolean(),
  accountId: z.string().nullable(),
  username: z.string().nullable(),
  name: z.string(),
  nickname: z.string(),
  avatar: z.string(),
  introduction: z.string(),
  /** '1' means guest (docs/session.md#user-info). */
  isGuest: z.enum(["0", "1"]),
  supplierId: z.string().nullable(),
  supplierName: z.string(),
  /** Applies of this account that the platform holds. */
  applyNum: z.number().int(),
  /** The system whose menus are shown. */
  systemName: systemNameSchema,
  /** The system that the person logged in to; its client credentials go with every refresh. */
  systemNameLogin: systemNameSchema,
  /** Roles and permissions in the current company only. */
  roles: z.array(roleSchema),
  permissions: z.array(z.string()),
  /** What the account call answered for the current company. */
  accountInfo: accountInfoSchema.nullable(),
  employee: employeeSchema.nullable(),
  employees: z.array(employeeSchema),
  menus: z.array(menuEntrySchema),
  /** Chat user name of this account, null before the chat account is known. */
  chatUserName: z.string().nullable(),
  /** Server time minus local time in ms, from the server's date header. */
  serverTimeOffset: z.number(),
  /** When the access token ends: issued-at plus expires_in, seconds since the epoch. */
  expiresAt: z.number().nullable(),
  /** The person has locked the console: no tab shows a page (docs/session.md#lock). */
  locked: z.boolean().default(false),
  /** How the last login ended, while nobody is logged in (docs/session.md#end-of-access). */
  left: leftSchema.nullable(),
  /** The company that the person has lost while further ones remain to choose from (docs/session.md#end-of-access). */
  outside: z.object({ company: z.string() }).nullable().default(null),
  /** The login has expired and the person is asked whether to log in again (docs/session.md#expired-login); null: nothing to ask. */
  expired: expiredSchema.nullable(),
});
export type SessionSlice = z.infer<typeof sessionSliceSchema>;
