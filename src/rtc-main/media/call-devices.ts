/** The own microphone and camera of a call. A call needs one of them; a device that fails is reported and a failed camera counts as off. */
import type { DeviceState } from "../../shared/domain/device-states.ts";
import { AppError } from "../../shared/errors.ts";
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import type { MediaDeps } from "../deps.ts";
import type { Kind, LocalTracks } from "../engine.ts";
import type { Tally } from "../tally.ts";

import { causeOfError, combinedError, deviceName } from "./errors.ts";
import type { DeviceChoice } from "./open.ts";
import { type Attempt, createOwnDevices, KINDS, type OwnDevicesDeps } from "./own-devices.ts";

export interface CallDeviceSettings {
  readonly audioMuted: boolean;
  readonly videoOff: boolean;
}

export interface CallDeviceEvents {
  /** The tracks to send and show from now on. */
  tracks(tracks: LocalTracks): void;
  /** Called after the first opening, and whenever the available devices change. */
  opened(has: {
    hasAudio: boolean;
    hasVideo: boolean;
    microphone: DeviceState;
    camera: DeviceState;
    notice?: AppError;
  }): void;
  /** No device could be opened. */
  failed(error: AppError): void;
  /** A user text about a device that was removed or recovered. */
  devices(text: string): void;
  /** The person begins or ends to speak into the muted microphone. */
  mutedVoice(speaks: boolean): void;
}

export interface CallDevices {
  readonly tracks: LocalTracks;
  /** Opens the devices once. The result is emitted as an event. */
  open(): void;
  /** @param retry kinds to open again after a failure, because the person asked for them */
  set(settings: CallDeviceSettings, retry?: readonly Kind[]): void;
  /** Switches to another device. Rejects with AppError media.* and keeps the former one. */
  use(kind: Kind, choice: DeviceChoice): Promise<void>;
  /** Emits the result of opening again, for a new core. */
  replay(): void;
  close(): void;
}

export function createCallDevices(
  deps: OwnDevicesDeps & Pick<MediaDeps, "permission">,
  tally: Tally,
  media: CallMedia,
  initial: CallDeviceSettings,
  events: CallDeviceEvents,
): CallDevices {
  let commanded = initial;
  /** False also after the camera failed, until a command asks for it again. */
  let cameraWanted = media === "video" && !initial.videoOff;
  let opened = false;
  /** The devices that were last reported as failed. */
  let toldWrong: ReadonlySet<Kind> = new Set();
  /** The error of a call that has no device. */
  let failure: AppError | null = null;

  const devices = createOwnDevices(deps, tally, initial.audioMuted, {
    isWanted: (kind) => kind === "audio" || cameraWanted,
    fallback: () => Promise.resolve({ alone: ["audio", "video"], one: true }),
    mayRetry(kind, error) {
      // A refused permission is not requested again.
      if (error.code === "media.permission-denied") return false;
      if (kind === "audio") return true;
      cameraWanted = media === "video" && !commanded.videoOff;
      return cameraWanted;
    },
    tracks(tracks) {
      if (tracks.audio !== null || tracks.video !== null) failure = null;
      events.tracks(tracks);
    },
    tried(attempts) {
      if (opened) for (const attempt of attempts) report(attempt);
      else first(attempts);
    },
    switched: () => reportOpened(),
    silenced: () => {
      if (opened) reportOpened();
    },
    mutedVoice: events.mutedVoice,
  });

  const stateOf = (kind: Kind): DeviceState => {
    const error = devices.error(kind);
    if (error !== null) return causeOfError(error);
    if (kind === "video" && !cameraWanted) return "off";
    if (devices.isSilenced(kind)) return "system-muted";
    return devices.tracks[kind] === null ? "asking" : "on";
  };
  const reportOpened = (notice?: AppError | null): void => {
    toldWrong = new Set(KINDS.filter((kind) => devices.error(kind) !== null));
    events.opened({
      hasAudio: devices.tracks.audio !== null,
      hasVideo: media === "video" && devices.error("video") === null,
      microphone: stateOf("audio"),
      camera: stateOf("video"),
      ...(notice == null ? {} : { notice }),
    });
  };
  function first(attempts: readonly Attempt[]): void {
    opened = true;
    const problems = attempts.flatMap(({ kind, error }) =>
      error === null ? [] : [[kind, error] as const],
    );
    if (devices.error("video") !== null) cameraWanted = false;
    if (problems.length < attempts.length) return reportOpened(problems[0]?.[1]);
    failure = combinedError(Object.fromEntries(problems));
    events.failed(failure);
  }
  function report({ kind, cause, error }: Attempt): void {
    const name = deviceName(kind);
    const label = devices.tracks[kind]?.label;
    if (cause === "lost") {
      if (error !== null) events.devices(error.message);
      else events.devices(label ? `${name}已切换到“${label}”` : `${name}已恢复`);
      return reportOpened(error);
    }
    if (kind === "video" && error !== null) cameraWanted = false;
    if (cause === "wanted") {
      // What was reported as wrong is well again.
      if (error !== null || toldWrong.has(kind)) reportOpened(error);
    } else if (error === null) {
      events.devices(`${name}已恢复${label ? `：“${label}”` : ""}`);
      reportOpened();
    }
  }

  // What a person allows in the browser's settings opens by itself, as a device that is plugged in.
  const stopPermission = deps.permission.onGranted((kind) => {
    if (devices.error(kind)?.code !== "media.permission-denied") return;
    if (kind === "video") cameraWanted = media === "video" && !commanded.videoOff;
    if (kind === "video" && !cameraWanted) return;
    devices.forgive(kind, "plugged");
    devices.look();
  });

  return {
    get tracks() {
      return devices.tracks;
    },
    open: () => devices.start(),
    set(settings, retry = []) {
      const cameraChanged = settings.videoOff !== commanded.videoOff;
      commanded = settings;
      devices.mute(settings.audioMuted);
      // A mute repeats the camera's setting, and is no wish to try a failed camera again.
      const aboutCamera = cameraChanged || retry.includes("video") || settings.videoOff;
      if (media === "video" && aboutCamera) {
        cameraWanted = !settings.videoOff;
        if (cameraWanted) devices.forgive("video");
      }
      if (retry.includes("audio")) devices.forgive("audio");
      devices.look();
    },
    async use(kind, choice) {
      if (!opened) throw new AppError("media.open-failed");
      await devices.use(kind, choice);
    },
    replay() {
      if (!opened || devices.closed) return;
      if (failure !== null) events.failed(failure);
      else reportOpened(devices.error("audio") ?? devices.error("video"));
    },
    close() {
      stopPermission();
      devices.close();
    },
  };
}
