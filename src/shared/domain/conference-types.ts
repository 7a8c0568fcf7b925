/** Numbers of conferences that go over the wire: types, roles, kinds of streams. */

/** docs/conferences.md#types */
export const CONFERENCE_TYPE = {
  communication: 10,
  /** A shared screen has no sound. */
  communicationMix: 11,
  /** As communicationMix, and everyone but the creator enters as audience. */
  live: 12,
  /** A call of two, which is not a conference. */
  p2p: 13,
  intercom: 14,
} as const;

/** docs/conferences.md#roles. A role may do what the lower ones may. */
export const CONFERENCE_ROLE = { audience: 1, talker: 3, admin: 7 } as const;

/** Kinds of streams. A member publishes at most one of each. */
export const STREAM_TYPE = {
  /** Camera and microphone. */
  camera: 0,
  screen: 1,
  mixer: 2,
} as const;
export type StreamType = (typeof STREAM_TYPE)[keyof typeof STREAM_TYPE];

/** The stream of the mixer itself: the sound of all, which a member hears who publishes nothing (docs/conferences.md#mixer-streams). */
export const MIX_STREAM_ID = "0";

/** Mixed conferences accept no screen with sound. */
export const isMixed = (
  type: number | undefined,
): type is typeof CONFERENCE_TYPE.communicationMix | typeof CONFERENCE_TYPE.live =>
  type === CONFERENCE_TYPE.communicationMix || type === CONFERENCE_TYPE.live;

/**
 * How clients publish and subscribe on a server without a mixer: in a mixed conference a client expects the sound of all from the
 * mixer, and would hear nothing (docs/conferences.md#mixed-types).
 */
export const withoutMixer = <T extends number>(type: T): T | typeof CONFERENCE_TYPE.communication =>
  isMixed(type) ? CONFERENCE_TYPE.communication : type;

/** People with this permission choose the kind and the limits of a new conference. Others create one of the default kind. */
export const OPTIONS_PERMISSION = "im:conference:options";
