/**
 * Control of a shared screen: the numbers of the wire, which are those of the platform's own library, and the states of both sides
 * (docs/conferences.md#control-of-a-screen).
 */
/** `evt` of the argument. `stopped` is ours: an older client answers it with -405 and shows nothing. */
export const CONTROL_EVENT = {
  input: 0,
  ask: 1,
  release: 2,
  keepAlive: 3,
  /** The controlled side tells the controller that control has ended. */
  stopped: 4,
} as const;
export const OPER = { up: 0, down: 1, move: 2, keyDown: 3, keyUp: 4 } as const;
export const BUTTON = { left: 1, wheel: 2, right: 4, wheelUp: 8, wheelDown: 16 } as const;
/** A place in the picture is sent as round(10000 x fraction). */
export const PICTURE_SCALE = 10_000;
/** Most actions of one message, of a tab or of the wire. */
export const MOST_ACTIONS = 1000;
/** Length of a control id. */
export const CONTROL_ID_LENGTH = 6;

/** The own shared screen. */
export const CONTROLLED_STATES = [
  /** Nobody controls it. */
  "free",
  /** A member asks, and this person has not answered. */
  "asked",
  "controlled",
] as const;
export type ControlledState = (typeof CONTROLLED_STATES)[number];

/** This person as the controller of another's screen. */
export const CONTROLLER_STATES = ["idle", "asking", "controlling"] as const;
export type ControllerState = (typeof CONTROLLER_STATES)[number];

/** Why a control ended, or why there was none. */
export const CONTROL_ENDS = [
  /** The controlled person refused (-402). */
  "rejected",
  /** Another member controls the screen (-403). */
  "busy",
  /** The member's program cannot be controlled (-405, -507). */
  "notAllowed",
  /** No answer in time (-408), or no input within the control timeout. */
  "late",
  /** The controller released the screen, or withdrew the request. */
  "released",
  /** The controlled person stopped it. */
  "stopped",
  /** The member, the stream or the session is gone, or the media moved to another tab. */
  "gone",
] as const;
export type ControlEnd = (typeof CONTROL_ENDS)[number];
