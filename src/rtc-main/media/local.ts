/** The own microphone and camera through a call: opened, muted, switched off and on, unplugged and found again. */
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
  /** What is to be sent and shown from now on. */
  tracks(tracks: LocalTracks): void;
  /** After the first opening, and again whenever what can be had changes. */
  opened(has: { hasAudio: boolean; hasVideo: boolean; notice?: AppError }): void;
  failed(error: AppError): void;
  /** A sentence for the person: a device went or came. */
  devices(text: string): void;
}

export interface LocalMedia {
  readonly tracks: LocalTracks;
  /** Opens the devices once; the outcome comes as an event. */
  open(): void;
  set(settings: LocalSettings): void;
  /** Another device of a kind. Rejects with AppError media.*; what was used before is used on then. */
  use(kind: Kind, choice: DeviceChoice): Promise<void>;
  /** Tells the outcome of opening again, to a core that is new. */
  replay(): void;
  close(): void;
}

/** ms; one plug makes several devicechange events. */
const SETTLE_MS = 200;

interface Slot {
  track: MediaStreamTrack | null;
  /** Why there is none although it is wanted. */
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
    // fires when the device goes or the permission is taken back, not on our own stop()
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

  /** Opens one device in its turn; a track that comes too late is stopped. */
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

  /** Brings the camera to what is wanted; one at a time, so that quick clicks end in the last one's state. */
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

  /** Something was plugged in: what was missing may be there now. A refused permission is not asked for again. */
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

  /** Taken when it is still wanted; else stopped. */
  const adopt = (track: MediaStreamTrack): void => {
    if (isClosed() || (track.kind === "video" && !cameraWanted)) return track.stop();
    take(track);
    failure = null;
    events.tracks(tracks());
    tell();
  };
  async function change(kind: Kind, choice: DeviceChoice): Promise<void> {
    if (phase !== "open") throw new AppError("media.open-failed");
    // a camera that is off is not turned on by choosing another
    if (kind === "video" && !cameraWanted) return;
    try {
      return adopt(await openChosen(deps.devices, kind, choice));
    } catch (error) {
      const former = slots[kind].track?.getSettings?.().deviceId;
      const busy = error instanceof AppError && error.code === "media.device-busy";
      if (!busy || former === undefined || isClosed()) throw error;
      // phones open one camera at a time: the former is let go, and taken again when that did not help
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
      // a camera that failed is tried again when the camera is meant, not when the same words come with a mute
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
