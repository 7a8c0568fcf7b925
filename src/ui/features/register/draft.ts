/** What was entered into the registration, kept in the tab until it is sent (docs/session.md#registration). A password is kept nowhere. */
import { LICENCE_LIMITS, licenceTokenSchema } from "../../../shared/protocol/rest/licences.ts";
import { requestKeySchema } from "../../../shared/protocol/rest/registration.ts";
import { z } from "../../../shared/zod.ts";
import { dropSession, readSession, writeSession } from "../../storage.ts";
import { EMPTY, type RegisterValues, SECRETS } from "./fields.ts";

const KEY = "registration";

const sentSchema = z.object({
  licence: licenceTokenSchema,
  /** The file's name on this machine. */
  name: z.string(),
  /** ms since the epoch; the server has forgotten the picture then. */
  until: z.number(),
});
/** A picture that the server keeps for a while. */
export type SentLicence = z.infer<typeof sentSchema>;

export interface RegistrationDraft {
  readonly values: RegisterValues;
  readonly licence: SentLicence | null;
  /** What belongs to the last code that was asked for. */
  readonly requestKey?: string | undefined;
}

export const NO_DRAFT: RegistrationDraft = { values: EMPTY, licence: null };

/** @param now ms since the epoch */
export const sentLicence = (licence: string, name: string, now: number): SentLicence => ({
  licence,
  name,
  until: now + LICENCE_LIMITS.lifetime * 1000,
});

const keptSchema = z.object({
  values: z.record(z.string(), z.string()),
  licence: sentSchema.nullable(),
  requestKey: requestKeySchema,
});

/** @param now ms since the epoch: a picture that the server has forgotten is left out */
export function readDraft(now: number): RegistrationDraft {
  const kept = keptSchema.safeParse(readSession(KEY));
  if (!kept.success) return NO_DRAFT;
  const { values, licence, requestKey } = kept.data;
  return {
    // The storage is the person's own, but a key of another build is no field.
    values: Object.fromEntries(
      Object.keys(EMPTY).map((key) => [key, values[key] ?? ""]),
    ) as unknown as RegisterValues,
    licence: licence !== null && licence.until > now ? licence : null,
    requestKey,
  };
}

export function keepDraft(draft: RegistrationDraft): void {
  const values = Object.fromEntries(
    Object.entries(draft.values).filter(([key]) => !(SECRETS as readonly string[]).includes(key)),
  );
  writeSession(KEY, { ...draft, values });
}

export const dropDraft = (): void => dropSession(KEY);
