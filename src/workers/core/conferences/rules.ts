/** What the core refuses without asking the server (docs/conferences.md), with the platform's text and the text for the person. */
import { CONFERENCE_REFUSALS, fillText } from "../../../shared/domain/conference-refusals.ts";
import {
  CONFERENCE_ROLE,
  CONFERENCE_TYPE,
  isMixed,
} from "../../../shared/domain/conference-types.ts";
import { NOTICE_TEXTS } from "../../../shared/domain/notice-texts.ts";
import { AppError } from "../../../shared/errors.ts";
import type { ConferenceRole } from "../../../shared/protocol/confr-model.ts";
import type { ConferenceSlice, ConferenceStreamView } from "../../../shared/protocol/state.ts";

export const ADMIN: ConferenceRole = CONFERENCE_ROLE.admin;
export const AUDIENCE: ConferenceRole = CONFERENCE_ROLE.audience;

/** States in which a stream arrives, although it may do so badly. */
const CONNECTED: readonly ConferenceStreamView["connection"][] = [
  "connected",
  "weak",
  "restarting",
];
/** Whether the picture of a stream is received. Only what is may be controlled. */
export const showsPicture = ({ video, connection }: ConferenceStreamView): boolean =>
  video && CONNECTED.includes(connection);

/** `details.text` is the platform's exact text; `message` is what the person reads. */
export const invalid = (text: string, zh: string): AppError =>
  new AppError("conference.invalid", { message: zh, details: { text } });
/** There is no conference, or it has ended. */
export const notJoined = (text: string): AppError =>
  new AppError("conference.not-joined", { details: { text } });

export const joinedTwice = (confrId: string): AppError =>
  new AppError("conference.current-calling", {
    details: { text: fillText(CONFERENCE_REFUSALS.joined, { confrId }) },
  });

export const TEXTS = {
  noService: CONFERENCE_REFUSALS.noService,
  closed: CONFERENCE_REFUSALS.closed,
  noConference: CONFERENCE_REFUSALS.noConference,
  beforeJoin: CONFERENCE_REFUSALS.beforeJoin,
  type: CONFERENCE_REFUSALS.type,
  notOpen: CONFERENCE_REFUSALS.notOpen,
  audience: CONFERENCE_REFUSALS.audience,
  repeat: CONFERENCE_REFUSALS.repeat,
  repeatDesktop: CONFERENCE_REFUSALS.repeatDesktop,
  repeatMixer: CONFERENCE_REFUSALS.repeatMixer,
  mixerSound: CONFERENCE_REFUSALS.mixerSound,
  mixerPicture: CONFERENCE_REFUSALS.mixerPicture,
  mixedDesktop: CONFERENCE_REFUSALS.mixedDesktop,
  badStream: CONFERENCE_REFUSALS.badStream,
  notAdmin: CONFERENCE_REFUSALS.notAdmin,
  roleToken: CONFERENCE_REFUSALS.roleToken,
  noKey: CONFERENCE_REFUSALS.noKey,
  notLower: CONFERENCE_REFUSALS.notLower,
  noMember: CONFERENCE_REFUSALS.noMember,
  noAdmin: CONFERENCE_REFUSALS.noAdmin,
} as const;

/** What needs a conference is refused without one: there was none yet, or it has ended. */
export const notInside = ({ lastExit }: Pick<ConferenceSlice, "lastExit">): AppError =>
  notJoined(lastExit === null ? TEXTS.noService : TEXTS.closed);

export const MIXED_DESKTOP = {
  text: TEXTS.mixedDesktop,
  zh: NOTICE_TEXTS["conference.mixed-desktop"].zh,
} as const;

/**
 * Type 13 is a call of two, not a conference. Only mixed conferences have live layouts.
 * @throws AppError conference.invalid 'not support conf type'
 */
export function mustBeConference(type: number, live: boolean): void {
  if (type === CONFERENCE_TYPE.p2p || (live && !isMixed(type)))
    throw invalid(TEXTS.type, "不支持的会议类型");
}

/** @returns the roleToken. @throws AppError conference.invalid or conference.not-joined */
export function mustBeAdmin(
  slice: Readonly<ConferenceSlice>,
  roleToken: string | null | undefined,
  text: string = TEXTS.noConference,
): string {
  if (slice.status === "idle" || slice.info === null) throw notJoined(text);
  if (slice.self?.role !== ADMIN) throw invalid(TEXTS.notAdmin, "只有主持人可以这样做");
  if (!roleToken) throw invalid(TEXTS.roleToken, "缺少会议权限凭据");
  return roleToken;
}

/** All members must be present and have a higher role than `role`. @throws AppError conference.invalid */
export function mustBeLower(
  slice: Readonly<ConferenceSlice>,
  memIds: readonly string[],
  role: ConferenceRole,
): void {
  for (const memId of memIds) {
    const member = slice.members[memId];
    if (member === undefined) throw invalid(TEXTS.noMember, "成员不在会议中");
    if (member.role <= role) throw invalid(TEXTS.notLower, "只能降低角色");
  }
}
