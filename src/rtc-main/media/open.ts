/** Opens microphone and camera, and falls back to the available one. */
import { AppError } from "../../shared/errors.ts";
import type { MediaDevicesPort } from "../deps.ts";
import type { Kind } from "../engines/engine.ts";
import { combinedError, deviceError } from "./errors.ts";

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

export interface Opened {
  readonly tracks: MediaStreamTrack[];
  /** The error of a device that did not open; null for none. */
  readonly notice: AppError | null;
}

/** A certain device, or the camera on a certain side. */
export type DeviceChoice =
  | { readonly deviceId: string }
  | { readonly facingMode: "user" | "environment" };
/** The person's earlier choices. Another device is used when the chosen one is absent. */
export interface Preferences {
  audio?: DeviceChoice;
  video?: DeviceChoice;
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

const get = async (
  devices: MediaDevicesPort,
  kinds: readonly Kind[],
  which: Partial<Record<Kind, MediaTrackConstraints>>,
): Promise<MediaStreamTrack[]> => {
  const stream = await devices.getUserMedia({
    ...(kinds.includes("audio") ? { audio: { ...AUDIO, ...which.audio } } : {}),
    ...(kinds.includes("video") ? { video: { ...VIDEO, ...which.video } } : {}),
  });
  return stream.getTracks();
};
const wished = (preferences: Preferences): Record<Kind, MediaTrackConstraints> => ({
  audio: rather(preferences.audio),
  video: rather(preferences.video),
});

async function openOne(
  devices: MediaDevicesPort | null,
  kind: Kind,
  constraints: MediaTrackConstraints,
): Promise<MediaStreamTrack> {
  if (devices === null) throw deviceError(kind, named("NotAllowedError"));
  try {
    const [track] = await get(devices, [kind], { [kind]: constraints });
    if (track === undefined) throw named("NotFoundError");
    return track;
  } catch (error) {
    throw deviceError(kind, error);
  }
}

/** Opens both devices with one prompt. @throws the browser's error */
export async function openBoth(
  devices: MediaDevicesPort | null,
  preferences: Preferences = {},
): Promise<MediaStreamTrack[]> {
  if (devices === null) throw named("NotAllowedError");
  return get(devices, ["audio", "video"], wished(preferences));
}

/** Opens one device, preferably the chosen one. @throws AppError media.* */
export const openDevice = (
  devices: MediaDevicesPort | null,
  kind: Kind,
  preferences: Preferences = {},
): Promise<MediaStreamTrack> => openOne(devices, kind, wished(preferences)[kind]);

/** Opens exactly this device. @throws AppError media.* */
export const openChosen = (
  devices: MediaDevicesPort | null,
  kind: Kind,
  choice: DeviceChoice,
): Promise<MediaStreamTrack> => openOne(devices, kind, exactly(choice));

function named(name: string): Error {
  const error = new Error(name);
  error.name = name;
  return error;
}

/**
 * With video it opens both devices, or the microphone alone, or the camera alone. Without video it opens the microphone.
 *
 * @throws AppError media.no-device, media.permission-denied, media.device-busy or media.open-failed
 */
export async function openDevices(
  devices: MediaDevicesPort | null,
  withVideo: boolean,
  preferences: Preferences = {},
): Promise<Opened> {
  if (!withVideo) {
    try {
      return { tracks: [await openDevice(devices, "audio", preferences)], notice: null };
    } catch (error) {
      throw combinedError(["audio"], [deviceError("audio", error)]);
    }
  }
  let both: unknown;
  try {
    return { tracks: await openBoth(devices, preferences), notice: null };
  } catch (error) {
    both = error;
  }
  let microphone: AppError;
  try {
    // The microphone opens alone, so the camera was the cause above.
    const track = await openDevice(devices, "audio", preferences);
    return { tracks: [track], notice: deviceError("video", both) };
  } catch (error) {
    microphone = deviceError("audio", error);
  }
  try {
    return { tracks: [await openDevice(devices, "video", preferences)], notice: microphone };
  } catch (error) {
    throw combinedError(["audio", "video"], [microphone, deviceError("video", error)]);
  }
}
