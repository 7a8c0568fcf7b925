/** State of the person's own microphone or camera in a conference. */
export const DEVICE_STATES = [
  /** Not wanted. */
  "off",
  /** The browser is opening it, and may be showing its permission prompt without a time limit. */
  "asking",
  "on",
  /** The person or a browser setting refused access. */
  "denied",
  /** The machine has none. */
  "missing",
  /** Another program uses it. */
  "busy",
  /** The browser failed to open it for another reason. */
  "failed",
] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];
