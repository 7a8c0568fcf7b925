/** State of the person's own microphone or camera, in a call and in a conference. */

/** Why a device is not there for the others, the most urgent first. */
export const DEVICE_CAUSES = [
  /** The person, or a setting of the browser for this site, refused it. Of the screen: the person closed the picker. */
  "denied",
  /** The system does not let the browser use it. */
  "system-denied",
  /** It was in use, and the person or the browser took the permission away. */
  "revoked",
  /** The page is not secure, so the browser gives it no devices. */
  "insecure",
  "unsupported",
  /** Another program uses it, or the system cannot read it. */
  "busy",
  /** No device fits what was asked for, as a chosen one that is gone. */
  "unfit",
  "aborted",
  /** The page was not in front, or there was no click. */
  "inactive",
  /** The browser gave a reason that has no row of its own. */
  "failed",
  /** It was in use, and there is none any more. */
  "unplugged",
  "missing",
  /** It is open, and the system or a key of the headset silences it. */
  "system-muted",
] as const;
export type DeviceCause = (typeof DEVICE_CAUSES)[number];

export const DEVICE_STATES = [
  /** Not wanted. */
  "off",
  /** The browser is opening it, and may be showing its permission prompt without a time limit. */
  "asking",
  "on",
  /** It is not there for the others; the state says why. */
  ...DEVICE_CAUSES,
] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];

/** Why the device is not there for the others; null when nothing is wrong. */
export const causeOfState = (state: DeviceState | undefined): DeviceCause | null =>
  isDeviceCause(state) ? state : null;

/** Whether the device is open. What the system silences is open, and sends nothing that can be heard or seen. */
export const isOpenState = (state: DeviceState | undefined): boolean =>
  state === "on" || state === "system-muted";

const ALL: ReadonlySet<unknown> = new Set(DEVICE_CAUSES);
export const isDeviceCause = (value: unknown): value is DeviceCause => ALL.has(value);
