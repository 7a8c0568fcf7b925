/** Errors that the library itself raises, with their texts (docs/conferences.md#library). */
import { AppError } from "../../shared/errors.ts";

/** Names in braces are placeholders. */
export const TEXTS = {
  required: "the {field} is required at {method}",
  joined: "had joined confr {confrId} please call exitConference",
  noCurrent: "confr is not exist",
  badStream: "Bad stream",
  noStream: "pubS null or stream not open",
  audience: "Audience not allow publish",
  videoTwice: "Audio and video stream has been published. not allow repeat publish.",
  desktopTwice: "Desktop stream has been published. not allow repeat publish.",
  mixDesktopAudio: "confr mix. not allow desktop with audio.",
  desktopNoConfr: "shareDesktop confrId is required",
  desktopSafari: "Desktop sharing with a ticket is not supported by Safari",
  desktopDenied: "User denied access",
  safariOrder: "SubFailSafariNotAllowSubBeforePub",
  notAdmin: "the role of admin is required at {method}",
  badRole: "the role must be lower than the present one at degradeRole",
  noMembers: "the memberIds must be a non-empty array at {method}",
  noMember: "the member {memName} is not in the conference",
  noKey: "options.key is not have",
  noOptions: "options is not have",
  attrsBeforeJoin: "please set_confr_attrs after joined",
} as const;
export type TextKey = keyof typeof TEXTS;

export const textOf = (key: TextKey, values: Readonly<Record<string, string>> = {}): string =>
  TEXTS[key].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

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
