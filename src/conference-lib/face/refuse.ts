/** Errors that the library itself raises, with their texts (docs/conferences.md#library). */
import { CONFERENCE_REFUSALS, fillText } from "../../shared/domain/conference-refusals.ts";
import { AppError } from "../../shared/errors.ts";

/** Names in braces are placeholders. */
export const TEXTS = {
  required: CONFERENCE_REFUSALS.required,
  joined: CONFERENCE_REFUSALS.joined,
  noCurrent: CONFERENCE_REFUSALS.noConference,
  noService: CONFERENCE_REFUSALS.noService,
  closed: CONFERENCE_REFUSALS.closed,
  unsupported: CONFERENCE_REFUSALS.unsupported,
  badStream: CONFERENCE_REFUSALS.badStream,
  noStream: CONFERENCE_REFUSALS.notOpen,
  audience: CONFERENCE_REFUSALS.audience,
  videoTwice: CONFERENCE_REFUSALS.repeat,
  desktopTwice: CONFERENCE_REFUSALS.repeatDesktop,
  mixerTwice: CONFERENCE_REFUSALS.repeatMixer,
  mixerSound: CONFERENCE_REFUSALS.mixerSound,
  mixerPicture: CONFERENCE_REFUSALS.mixerPicture,
  badTrack: CONFERENCE_REFUSALS.badTrack,
  noOwnTrack: CONFERENCE_REFUSALS.noOwnTrack,
  mixDesktopAudio: CONFERENCE_REFUSALS.mixedDesktop,
  desktopNoConference: CONFERENCE_REFUSALS.desktopNoConference,
  desktopSafari: CONFERENCE_REFUSALS.desktopSafari,
  desktopDenied: CONFERENCE_REFUSALS.desktopDenied,
  safariOrder: CONFERENCE_REFUSALS.safariOrder,
  notAdmin: CONFERENCE_REFUSALS.notAdminAt,
  badRole: CONFERENCE_REFUSALS.notLower,
  noMembers: CONFERENCE_REFUSALS.noMembers,
  noMember: CONFERENCE_REFUSALS.noMemberNamed,
  noKey: CONFERENCE_REFUSALS.noKey,
  noOptions: CONFERENCE_REFUSALS.noOptions,
  clickOutside: CONFERENCE_REFUSALS.clickOutside,
  attrsBeforeJoin: CONFERENCE_REFUSALS.beforeJoin,
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
