/** Codes and limits of the signalling of conferences (docs/conferences.md#results). */
import { SIGNALLING_LIMITS } from "./signalling.ts";

export const CONFR_PATH = "/conference";

/** End reasons of a connection (op 107) and of a membership, beyond END_REASON (docs/conferences.md#end-reasons). */
export const CONFR_END = {
  switchCodec: 21,
  codecUnsupported: 22,
  tooManyVideos: 23,
  tooManyDesktops: 24,
  /** Kicked by an admin. */
  kicked: 12,
} as const;

/** Result codes beyond RESULT (docs/conferences.md#results). */
export const CONFR_RESULT = {
  controlRejected: -402,
  controlBusy: -403,
  grantTalkerFailed: -523,
  wrongPassword: -502,
  full: -504,
  /** The media node is not available now; the client may try again. Any of -500 to -510 that an enter can get would end the membership. */
  mediaUnavailable: -503,
} as const;

/** Codes in an `arg` (op2, docs/conferences.md#requests). */
export const OP2 = {
  mediaControl: 20,
  talkerRequest: 21,
  adminRequest: 22,
  mute: 23,
  unmute: 24,
  panelControl: 30,
} as const;

/** What a member must declare (`res.ops`) to be sent a request of op2 20, by the fields that the request has, or of op2 30. */
export const REQUIRED_OPS = {
  zoom: 100201,
  focus: 100202,
  expo: 100203,
  frz: 100204,
  pic: 100205,
  tor: 100206,
  /** Ours: the next camera. */
  cam: 100207,
  panel: 100230,
} as const;

/** What a member declares that an admin may mute and unmute (op2 23 and 24). These requests reach a member who does not, too. */
export const MUTE_OPS = [100223, 100224] as const;

/** The longest text of op 1003. The console's own are shorter. */
export const MESSAGE_LENGTH = 16_000;

/** Conferencing facts: defaults of createConference. */
export const CONFR_LIMITS = {
  maxTalkerCount: 100,
  maxAudienceCount: 600,
  maxVideoCount: 9,
  maxPubDesktopCount: 2,
} as const;

/** Sizes and rates of this socket. They are high because a client that joins a full conference subscribes to every stream at once. */
export const CONFR_SOCKET_LIMITS = {
  ...SIGNALLING_LIMITS,
  /** Space for a picture in the answer to a capture (op 1001); every other field has its own, lower limit. */
  frameBytes: 2 * 1024 * 1024,
  framesPerSecond: 100,
  burst: 1000,
} as const;
