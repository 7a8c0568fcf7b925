/** Login, company and system. */
import { z } from "../../zod.ts";
import { systemNameSchema } from "../config.ts";
import { tokenGrantSchema } from "../rest/auth.ts";
import { idSchema } from "../rest/entities.ts";
import { command, done, none } from "./command.ts";

/** The login trims it (docs/session.md#login). */
const systemNameInput = z.string().trim().pipe(systemNameSchema);

export const sessionCommands = {
  login: command(
    z.object({
      username: z.string().trim().min(1).max(64),
      password: z.string().min(1).max(200),
      /** Where the account needs a second factor (docs/session.md#two-factor). */
      code: z.string().trim().max(32).optional(),
      systemName: systemNameInput,
    }),
    done,
  ),
  /** Finds out whose token another system of the platform brought to /auth-redirect. The login does not change yet. */
  whose: command(
    z.object({ accessToken: z.string().min(1).max(8192), systemName: systemNameInput }),
    z.object({ accountId: idSchema, username: z.string(), nickname: z.string() }),
  ),
  /** Logs in with such tokens after the person has agreed. */
  adopt: command(z.object({ grant: tokenGrantSchema, systemName: systemNameInput }), done),
  /** Account, memberships, roles of the current company, menus (docs/session.md#user-info). */
  loadInfo: command(none, done),
  logout: command(none, done),
  switchCompany: command(z.object({ employeeId: idSchema }), done),
  switchSystem: command(z.object({ systemName: systemNameInput }), done),
  /** Hides the console in all tabs until the password is given (docs/session.md#lock). */
  lock: command(none, done),
  unlock: command(z.object({ password: z.string().min(1).max(200) }), done),
  /** The answer to the question of an expired login: log in again, or stay on the page. */
  answerExpired: command(z.object({ again: z.boolean() }), done),
  /** What the tab writes into the cookie ACCESS_TOKEN; null where the platform sets the cookie itself. */
  cookieToken: command(none, z.object({ accessToken: z.string().nullable() })),
} as const;
