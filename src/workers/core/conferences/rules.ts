/** What the core refuses without asking the server (docs/conferences.md), with the platform's text and the text for the person. */
import { isMixed } from "../../../shared/domain/conference-types.ts";
import { NOTICE_TEXTS } from "../../../shared/domain/notice-texts.ts";
import { AppError } from "../../../shared/errors.ts";
import type { ConfrRole } from "../../../shared/protocol/confr-signalling.ts";
import type { ConferenceSlice } from "../../../shared/protocol/state.ts";

export const ADMIN: ConfrRole = 7;
export const AUDIENCE: ConfrRole = 1;

/** `details.text` is the platform's exact text; `message` is what the person reads. */
export const invalid = (text: string, zh: string): AppError =>
  new AppError("conference.invalid", { message: zh, details: { text } });
/** There is no conference, or it has ended. */
export const notJoined = (text: string): AppError =>
  new AppError("conference.not-joined", { details: { text } });

export const joinedTwice = (confrId: string): AppError =>
  new AppError("conference.current-calling", {
    details: { text: `had joined confr ${confrId} please call exitConference` },
  });

export const TEXTS = {
  closed: "current closed",
  noConfr: "confr is not exist",
  beforeJoin: "please set_confr_attrs after joined",
  type: "not support conf type",
  notOpen: "pubS null or stream not open",
  audience: "Audience not allow publish",
  repeat: "Audio and video stream has been published. not allow repeat publish.",
  repeatDesktop: "Desktop stream has been published. not allow repeat publish.",
  mixedDesktop: "confr mix. not allow desktop with audio.",
  badStream: "Bad stream",
  notAdmin: "the role of admin is required",
  roleToken: "roleToken is not have",
  noKey: "options.key is not have",
  notLower: "the role must be lower than the present one at degradeRole",
  noMember: "the member is not in the conference",
  noAdmin: "no admin in the conference",
} as const;

export const MIXED_DESKTOP = {
  text: TEXTS.mixedDesktop,
  zh: NOTICE_TEXTS["conference.mixed-desktop"].zh,
} as const;

/**
 * Type 13 is a call of two, not a conference. Only mixed conferences have live layouts.
 * @throws AppError conference.invalid 'not support conf type'
 */
export function mustBeConference(type: number, live: boolean): void {
  if (type === 13 || (live && !isMixed(type))) throw invalid(TEXTS.type, "不支持的会议类型");
}

/** @returns the roleToken. @throws AppError conference.invalid or conference.not-joined */
export function mustBeAdmin(
  slice: Readonly<ConferenceSlice>,
  roleToken: string | null | undefined,
  outside: string = TEXTS.noConfr,
): string {
  if (slice.status === "idle" || slice.info === null) throw notJoined(outside);
  if (slice.self?.role !== ADMIN) throw invalid(TEXTS.notAdmin, "只有主持人可以这样做");
  if (!roleToken) throw invalid(TEXTS.roleToken, "缺少会议权限凭据");
  return roleToken;
}

/** All members must be present and have a higher role than `role`. @throws AppError conference.invalid */
export function mustBeLower(
  slice: Readonly<ConferenceSlice>,
  memIds: readonly string[],
  role: ConfrRole,
): void {
  for (const memId of memIds) {
    const member = slice.members[memId];
    if (member === undefined) throw invalid(TEXTS.noMember, "成员不在会议中");
    if (member.role <= role) throw invalid(TEXTS.notLower, "只能降低角色");
  }
}
