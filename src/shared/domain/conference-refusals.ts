/**
 * The platform's texts of refusals in conferences, word for word (docs/conferences.md). Server, core and library throw them.
 * `fillText` replaces the placeholders in braces.
 */
export const CONFERENCE_REFUSALS = {
  required: "the {field} is required at {method}",
  joined: "had joined confr {confrId} please call exitConference",
  type: "not support conf type",
  noConference: "confr is not exist",
  noService:
    "Please set up the service with a ticket first: createConference, joinRoom, joinConference or joinConferenceWithTicket",
  closed: "current closed",
  beforeJoin: "please set_confr_attrs after joined",
  badStream: "Bad stream",
  notOpen: "pubS null or stream not open",
  unsupported: "Unspported pubS",
  badTrack: "the {kind} track has ended, or is of another kind",
  noOwnTrack: "no own {kind} track is published from this page",
  audience: "Audience not allow publish",
  repeat: "Audio and video stream has been published. not allow repeat publish.",
  repeatDesktop: "Desktop stream has been published. not allow repeat publish.",
  repeatMixer: "AudioMixerStreamRepeatPublish",
  mixerSound: "AudioMixerStreamNotAllowSub",
  mixerPicture: "AudioMixerStreamNotAllowOnlySubVideo",
  mixedDesktop: "confr mix. not allow desktop with audio.",
  desktopNoConference: "shareDesktop confrId is required",
  desktopSafari: "Desktop sharing with a ticket is not supported by Safari",
  desktopDenied: "User denied access",
  safariOrder: "SubFailSafariNotAllowSubBeforePub",
  sessionId: "message sessId error...",
  notAdmin: "the role of admin is required",
  notAdminAt: "the role of admin is required at {method}",
  roleToken: "roleToken is not have",
  notLower: "the role must be lower than the present one at degradeRole",
  noAdmin: "no admin in the conference",
  noMember: "the member is not in the conference",
  noMemberNamed: "the member {memName} is not in the conference",
  noMembers: "the memberIds must be a non-empty array at {method}",
  noKey: "options.key is not have",
  noOptions: "options is not have",
  notSubscribed: "Not allow control. cause by the stream not sub",
  controlled: "Other has been controled.",
  clickOutside: "the click must lie inside the video",
} as const;

/** Replaces each `{name}` by its value; a name without a value stays. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
