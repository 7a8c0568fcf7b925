/**
 * The end of a person's access, as the server processes tell each other (docs/server.md#end-of-access). One place publishes it
 * (modules/accounts/access.ts); every module that holds something open for a person subscribes by the directory.
 */
import { z } from "zod";

export const ACCESS_END = "access.end";

/** Why a login ended. Its device reads the words for it (docs/session.md#end-of-access). */
export const loginEndSchema = z.enum([
  /** The person logged out on this device. */
  "logout",
  /** A refresh token was used twice. */
  "stolen",
  /** The person, or an administrator, ended this login from elsewhere. */
  "signed-out",
  /** The person has left the last company. */
  "dismissed",
  /** The platform has locked the only company of the person. */
  "company-locked",
  /** The account was disabled. */
  "disabled",
]);
export type LoginEnd = z.infer<typeof loginEndSchema>;

const placeSchema = z.object({
  /** Chat user name. */
  userName: z.string(),
  /** The call or conference. */
  confrId: z.string(),
});
export type PlaceOfPerson = z.infer<typeof placeSchema>;

export const accessEndSchema = z.discriminatedUnion("of", [
  /** A login has ended, in every company. */
  z.object({
    of: z.literal("login"),
    accountId: z.string(),
    sessionId: z.string(),
    why: loginEndSchema,
  }),
  /** A person belongs to a company no more, or the platform has locked it. Their logins go on in the other companies. */
  z.object({
    of: z.literal("company"),
    accountId: z.string(),
    /** Chat user name. */
    userName: z.string(),
    supplierId: z.string(),
  }),
  /** Roles of the company were taken away or may do less. */
  z.object({ of: z.literal("rights"), supplierId: z.string() }),
  /** A person was put out of this call or conference. */
  placeSchema.extend({ of: z.literal("place") }),
]);
export type AccessEnd = z.infer<typeof accessEndSchema>;
