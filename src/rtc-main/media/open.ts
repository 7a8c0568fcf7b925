/** Opens microphone and camera, falling back to what there is. */
import { AppError } from "../../shared/errors.ts";
import type { MediaDevicesPort } from "../deps.ts";
import type { Kind } from "../engines/engine.ts";
import { combinedError, deviceError } from "./errors.ts";

/** Wishes only: an exact constraint would refuse a device that works. */
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
  /** What was left out, and why. */
  readonly notice: AppError | null;
}

/** This device and no other, or the camera that looks this way. */
export type DeviceChoice =
  | { readonly deviceId: string }
  | { readonly facingMode: "user" | "environment" };
/** What the person chose before; another one serves where it is gone. */
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

/** Both by one question. Throws what the browser throws. */
export async function openBoth(
  devices: MediaDevicesPort | null,
  preferences: Preferences = {},
): Promise<MediaStreamTrack[]> {
  if (devices === null) throw named("NotAllowedError");
  return get(devices, ["audio", "video"], wished(preferences));
}

/** One device, the preferred one where it is there; throws its AppError. */
export const openDevice = (
  devices: MediaDevicesPort | null,
  kind: Kind,
  preferences: Preferences = {},
): Promise<MediaStreamTrack> => openOne(devices, kind, wished(preferences)[kind]);

/** This device and no other; throws its AppError. */
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
 * With a camera: both, else the microphone alone, else the camera alone. Without: the microphone.
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
    // the microphone opens by itself, so what failed above was the camera
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
