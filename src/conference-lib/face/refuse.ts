/** Errors that the library itself raises, with their texts (docs/conferences.md#library). */
import { CONFR_REFUSALS, fillText } from "../../shared/domain/conference-refusals.ts";
import { AppError } from "../../shared/errors.ts";

/** Names in braces are placeholders. */
export const TEXTS = {
  required: CONFR_REFUSALS.required,
  joined: CONFR_REFUSALS.joined,
  noCurrent: CONFR_REFUSALS.noConference,
  badStream: CONFR_REFUSALS.badStream,
  noStream: CONFR_REFUSALS.notOpen,
  audience: CONFR_REFUSALS.audience,
  videoTwice: CONFR_REFUSALS.repeat,
  desktopTwice: CONFR_REFUSALS.repeatDesktop,
  mixDesktopAudio: CONFR_REFUSALS.mixedDesktop,
  desktopNoConfr: CONFR_REFUSALS.desktopNoConfr,
  desktopSafari: CONFR_REFUSALS.desktopSafari,
  desktopDenied: CONFR_REFUSALS.desktopDenied,
  safariOrder: CONFR_REFUSALS.safariOrder,
  notAdmin: CONFR_REFUSALS.notAdminAt,
  badRole: CONFR_REFUSALS.notLower,
  noMembers: CONFR_REFUSALS.noMembers,
  noMember: CONFR_REFUSALS.noMemberNamed,
  noKey: CONFR_REFUSALS.noKey,
  noOptions: CONFR_REFUSALS.noOptions,
  attrsBeforeJoin: CONFR_REFUSALS.beforeJoin,
} as const;
export type TextKey = keyof typeof TEXTS;

export const textOf = (key: TextKey, values: Readonly<Record<string, string>> = {}): string =>
  fillText(TEXTS[key], values);

/** `message` and `details.text` are the platform's exact text; `details.rule` is its key. */
export const refusal = (key: TextKey, values?: Readonly<Record<string, string>>): AppError => {
  const text = textOf(key, values);
  return new AppError("conference.invalid", { message: text, details: { rule: key, text } });
};

/** @throws 'the {field} is required at {method}' for the first missing field */
export function requireAll(method: string, fields: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === "") {
      throw refusal("required", { field, method });
    }
  }
}
