/** Opens microphone and camera: both with one prompt, or each alone when that fails. */
import { AppError } from "../../shared/errors.ts";
import type { MediaDevicesPort } from "../deps.ts";
import type { Kind } from "../engine.ts";
import { deviceError } from "./errors.ts";

/** Ideal values only, because an exact constraint would exclude usable devices. */
const AUDIO: MediaTrackConstraints = {
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
};
const VIDEO: MediaTrackConstraints = {
  width: { ideal: 640 },
  height: { ideal: 360 },
  frameRate: { ideal: 24 },
};

/** A certain device, or the camera on a certain side. */
export type DeviceChoice =
  | { readonly deviceId: string }
  | { readonly facingMode: "user" | "environment" };
/** The person's earlier choices. Another device is used when the chosen one is absent. */
export interface Preferences {
  audio?: DeviceChoice;
  video?: DeviceChoice;
  /** What the host page of the library asks of the devices. It replaces what is asked for otherwise, constraint by constraint. */
  readonly constraints?: Partial<Record<Kind, MediaTrackConstraints>>;
}

const exactly = (choice: DeviceChoice): MediaTrackConstraints =>
  "deviceId" in choice
    ? { deviceId: { exact: choice.deviceId } }
    : { facingMode: { exact: choice.facingMode } };
const rather = (choice: DeviceChoice | undefined): MediaTrackConstraints => {
  if (choice === undefined) return {};
  return "deviceId" in choice
    ? { deviceId: { ideal: choice.deviceId } }
    : { facingMode: { ideal: choice.facingMode } };
};

const constraintsWith = (
  kinds: readonly Kind[],
  which: Partial<Record<Kind, MediaTrackConstraints>>,
): MediaStreamConstraints => ({
  ...(kinds.includes("audio") ? { audio: { ...AUDIO, ...which.audio } } : {}),
  ...(kinds.includes("video") ? { video: { ...VIDEO, ...which.video } } : {}),
});
const get = async (
  devices: MediaDevicesPort,
  kinds: readonly Kind[],
  which: Partial<Record<Kind, MediaTrackConstraints>>,
): Promise<MediaStreamTrack[]> =>
  (await devices.getUserMedia(constraintsWith(kinds, which))).getTracks();
const wished = (preferences: Preferences): Record<Kind, MediaTrackConstraints> => ({
  audio: { ...rather(preferences.audio), ...preferences.constraints?.audio },
  video: { ...rather(preferences.video), ...preferences.constraints?.video },
});

/** What `openDevices` asks the browser for. */
export const constraintsOf = (
  kinds: readonly Kind[],
  preferences: Preferences,
): MediaStreamConstraints => constraintsWith(kinds, wished(preferences));

async function openOne(
  devices: MediaDevicesPort | null,
  kind: Kind,
  constraints: MediaTrackConstraints,
): Promise<MediaStreamTrack> {
  if (devices === null) throw deviceError(kind, named(NO_DEVICES));
  try {
    const [track] = await get(devices, [kind], { [kind]: constraints });
    if (track === undefined) throw named("NotFoundError");
    return track;
  } catch (error) {
    throw deviceError(kind, error);
  }
}

/** A page that is not secure gets no devices at all. */
const NO_DEVICES = "SecurityError";

/** What is asked of a device, whichever it is. */
const withoutDevice = ({
  deviceId: _id,
  facingMode: _facing,
  groupId: _group,
  ...rest
}: MediaTrackConstraints) => rest;

/** Opens exactly this device. @param asked what is asked of it besides. @throws AppError media.* */
export const openChosen = (
  devices: MediaDevicesPort | null,
  kind: Kind,
  choice: DeviceChoice,
  asked: MediaTrackConstraints = {},
): Promise<MediaStreamTrack> =>
  openOne(devices, kind, { ...withoutDevice(asked), ...exactly(choice) });

function named(name: string): Error {
  const error = new Error(name);
  error.name = name;
  return error;
}

/** What to try after both devices failed together. */
export interface Fallback {
  /** The devices to open alone, in this order. */
  readonly alone: readonly Kind[];
  /** Whether to stop at the first one that opens. */
  readonly one: boolean;
}

export interface OpenEvents {
  opened(tracks: readonly MediaStreamTrack[]): void;
  /** @param error media.*, in the words of the table of device errors */
  failed(kind: Kind, error: AppError): void;
}

/**
 * Opens the devices, preferably the chosen ones. Two devices open with one prompt; if that fails, `fallback` decides. Resolves when each
 * device has opened or failed, or when `ended` returns true.
 */
export async function openDevices(
  devices: MediaDevicesPort | null,
  kinds: readonly Kind[],
  options: {
    readonly preferences?: Preferences | undefined;
    readonly fallback: (error: AppError) => Promise<Fallback>;
    readonly ended: () => boolean;
  },
  on: OpenEvents,
): Promise<void> {
  const constraints = wished(options.preferences ?? {});
  const openAlone = async (kind: Kind): Promise<boolean> => {
    try {
      on.opened([await openOne(devices, kind, constraints[kind])]);
      return true;
    } catch (error) {
      on.failed(kind, deviceError(kind, error));
      return false;
    }
  };
  const [only] = kinds;
  if (kinds.length === 1 && only !== undefined) {
    await openAlone(only);
    return;
  }
  let both: unknown;
  try {
    if (devices === null) throw named(NO_DEVICES);
    return on.opened(await get(devices, kinds, constraints));
  } catch (error) {
    both = error;
  }
  const { alone, one } = await options.fallback(deviceError("audio", both));
  let done = false;
  for (const kind of alone) {
    if (options.ended()) return;
    // The other device opened alone, so this one was the cause above.
    if (done) on.failed(kind, deviceError(kind, both));
    else done = (await openAlone(kind)) && one;
  }
  for (const kind of kinds) {
    if (!alone.includes(kind)) on.failed(kind, deviceError(kind, both));
  }
}
