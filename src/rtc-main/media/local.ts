/** The own microphone and camera during a call: opens, mutes, switches and recovers them. */
import { AppError } from "../../shared/errors.ts";
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import type { MediaDeps, MediaTimer } from "../deps.ts";
import type { Kind, LocalTracks } from "../engines/engine.ts";
import type { Tally } from "../tally.ts";
import { deviceError, deviceName } from "./errors.ts";
import {
  openChosen,
  openDevice,
  openDevices,
  type DeviceChoice,
  type Preferences,
} from "./open.ts";

export interface LocalSettings {
  readonly audioMuted: boolean;
  readonly videoOff: boolean;
}

export interface LocalEvents {
  /** The tracks to send and show from now on. */
  tracks(tracks: LocalTracks): void;
  /** Called after the first opening, and whenever the available devices change. */
  opened(has: { hasAudio: boolean; hasVideo: boolean; notice?: AppError }): void;
  failed(error: AppError): void;
  /** A user text about a device that was removed or recovered. */
  devices(text: string): void;
}

export interface LocalMedia {
  readonly tracks: LocalTracks;
  /** Opens the devices once. The result is emitted as an event. */
  open(): void;
  set(settings: LocalSettings): void;
  /** Switches to another device. Rejects with AppError media.* and keeps the former one. */
  use(kind: Kind, choice: DeviceChoice): Promise<void>;
  /** Emits the result of opening again, for a new core. */
  replay(): void;
  close(): void;
}

/** ms to wait after a devicechange event, because plugging in one device causes several. */
const SETTLE_MS = 200;

interface Slot {
  track: MediaStreamTrack | null;
  /** Why a wanted device is not open. */
  problem: AppError | null;
  undo: (() => void)[];
}

export function createLocalMedia(
  deps: Pick<MediaDeps, "devices" | "clock" | "report"> & { readonly preferences?: Preferences },
  tally: Tally,
  media: CallMedia,
  initial: LocalSettings,
  events: LocalEvents,
): LocalMedia {
  const slots: Record<Kind, Slot> = {
    audio: { track: null, problem: null, undo: [] },
    video: { track: null, problem: null, undo: [] },
  };
  let commanded = initial;
  let cameraWanted = media === "video" && !initial.videoOff;
  let phase: "idle" | "opening" | "open" | "closed" = "idle";
  let failure: AppError | null = null;
  let working = false;
  let settle: MediaTimer | null = null;
  const isClosed = (): boolean => phase === "closed";
  const tracks = (): LocalTracks => ({ audio: slots.audio.track, video: slots.video.track });

  const drop = (kind: Kind): void => {
    const slot = slots[kind];
    for (const run of slot.undo.splice(0)) run();
    slot.track?.stop();
    slot.track = null;
  };
  const take = (track: MediaStreamTrack): void => {
    const kind = track.kind as Kind;
    drop(kind);
    const slot = slots[kind];
    slot.track = track;
    slot.problem = null;
    if (kind === "audio") track.enabled = !commanded.audioMuted;
    // Fires when the device is removed or the permission revoked, but not after stop().
    slot.undo.push(
      tally.open("tracks"),
      tally.listen(track, "ended", () => lost(kind)),
    );
  };
  const tell = (notice?: AppError): void => {
    events.opened({
      hasAudio: slots.audio.track !== null,
      hasVideo: media === "video" && slots.video.problem === null,
      ...(notice === undefined ? {} : { notice }),
    });
  };

  /** Opens one device. Stops a track that arrives too late. @returns whether the device is in use now */
  const reopen = async (kind: Kind): Promise<boolean> => {
    try {
      const track = await openDevice(deps.devices, kind, deps.preferences);
      if (isClosed() || (kind === "video" && !cameraWanted)) {
        track.stop();
        return false;
      }
      take(track);
      failure = null;
      events.tracks(tracks());
      return true;
    } catch (error) {
      slots[kind].problem = deviceError(kind, error);
      return false;
    }
  };

  /** Opens or closes the camera as wanted, one step at a time, so that quick clicks end in the last one's state. */
  const reconcileCamera = async (): Promise<void> => {
    if (working || phase !== "open" || media === "voice") return;
    working = true;
    try {
      for (;;) {
        if (isClosed()) return;
        const { track, problem } = slots.video;
        if (!cameraWanted && track !== null) {
          drop("video");
          events.tracks(tracks());
        } else if (cameraWanted && track === null && problem === null) {
          if (await reopen("video")) continue;
          const { problem: now } = slots.video;
          if (!isClosed() && now !== null) {
            cameraWanted = false;
            tell(now);
          }
        } else return;
      }
    } finally {
      working = false;
    }
  };

  const replace = async (kind: Kind): Promise<void> => {
    const name = deviceName(kind);
    if (await reopen(kind)) {
      const label = slots[kind].track?.label;
      events.devices(label ? `${name}已切换到“${label}”` : `${name}已恢复`);
      tell();
      return;
    }
    const { problem } = slots[kind];
    if (isClosed() || problem === null) return;
    events.devices(`${name}已断开，${problem.message}`);
    tell(problem);
  };

  const lost = (kind: Kind): void => {
    if (isClosed()) return;
    drop(kind);
    events.tracks(tracks());
    void replace(kind);
  };

  /** Tries missing devices again after one was plugged in. A refused permission is not requested again. */
  const onDeviceChange = (): void => {
    settle?.cancel();
    settle = deps.clock.after(SETTLE_MS, () => {
      if (phase !== "open") return;
      for (const kind of ["audio", "video"] as const) {
        const { track, problem } = slots[kind];
        if (track !== null || problem === null) continue;
        if (problem.code === "media.permission-denied") continue;
        if (kind === "video" && (media === "voice" || commanded.videoOff)) continue;
        if (kind === "video") cameraWanted = true;
        void reopen(kind).then((found) => {
          if (!found) {
            if (kind === "video") cameraWanted = false;
            return;
          }
          const label = slots[kind].track?.label;
          events.devices(`${deviceName(kind)}已恢复${label ? `：“${label}”` : ""}`);
          tell();
        });
      }
    });
  };
  const undoDeviceChange =
    deps.devices === null ? null : tally.listen(deps.devices, "devicechange", onDeviceChange);

  const open = async (): Promise<void> => {
    phase = "opening";
    const withVideo = cameraWanted;
    try {
      const result = await openDevices(deps.devices, withVideo, deps.preferences);
      if (isClosed()) {
        for (const track of result.tracks) track.stop();
        return;
      }
      for (const track of result.tracks) take(track);
      const { notice } = result;
      if (slots.audio.track === null) slots.audio.problem = notice;
      if (withVideo && slots.video.track === null) {
        slots.video.problem = notice;
        cameraWanted = false;
      }
      phase = "open";
      events.tracks(tracks());
      tell(notice ?? undefined);
    } catch (error) {
      if (isClosed()) return;
      failure = AppError.from(error, "media.open-failed");
      phase = "open";
      slots.audio.problem = failure;
      if (withVideo) {
        slots.video.problem = failure;
        cameraWanted = false;
      }
      events.failed(failure);
    }
    await reconcileCamera();
  };

  /** Uses the track if it is still wanted; otherwise stops it. */
  const adopt = (track: MediaStreamTrack): void => {
    if (isClosed() || (track.kind === "video" && !cameraWanted)) return track.stop();
    take(track);
    failure = null;
    events.tracks(tracks());
    tell();
  };
  async function change(kind: Kind, choice: DeviceChoice): Promise<void> {
    if (phase !== "open") throw new AppError("media.open-failed");
    // Choosing another camera does not turn on one that is off.
    if (kind === "video" && !cameraWanted) return;
    try {
      return adopt(await openChosen(deps.devices, kind, choice));
    } catch (error) {
      const former = slots[kind].track?.getSettings?.().deviceId;
      const busy = error instanceof AppError && error.code === "media.device-busy";
      if (!busy || former === undefined || isClosed()) throw error;
      // Phones open one camera at a time: close the former one first, and reopen it if the new one still fails.
      drop(kind);
      try {
        adopt(await openChosen(deps.devices, kind, choice));
      } catch (again) {
        adopt(await openChosen(deps.devices, kind, { deviceId: former }));
        throw again;
      }
    }
  }

  return {
    get tracks() {
      return tracks();
    },
    open() {
      if (phase === "idle") void open();
    },
    set(settings) {
      if (isClosed()) return;
      const muteChanged = settings.audioMuted !== commanded.audioMuted;
      const cameraChanged = settings.videoOff !== commanded.videoOff;
      commanded = settings;
      if (slots.audio.track !== null) slots.audio.track.enabled = !settings.audioMuted;
      // Try a failed camera again only for a command about the camera, not for a mute that repeats the camera's setting.
      if (media === "video" && (cameraChanged || !muteChanged || settings.videoOff)) {
        cameraWanted = !settings.videoOff;
        if (cameraWanted) slots.video.problem = null;
      }
      void reconcileCamera();
    },
    use: change,
    replay() {
      if (phase !== "open") return;
      if (failure !== null) events.failed(failure);
      else tell(slots.audio.problem ?? slots.video.problem ?? undefined);
    },
    close() {
      if (isClosed()) return;
      phase = "closed";
      settle?.cancel();
      undoDeviceChange?.();
      drop("audio");
      drop("video");
    },
  };
}
