/** What became of the own microphone or camera in a conference. */
export const DEVICE_STATES = [
  /** Not wanted. */
  "off",
  /** The browser opens it, and may be asking the person for as long as the person takes. */
  "asking",
  "on",
  /** The person, or the browser for the person, has refused it. */
  "denied",
  /** The machine has none. */
  "missing",
  /** Another program has it. */
  "busy",
  /** The browser failed for a reason of its own. */
  "failed",
] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];
