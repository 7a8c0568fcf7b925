/**
 * The own microphone and camera, in a call and in a conference: opens what is wanted, closes the rest, replaces a device that ends, and
 * tries failed ones again after a devicechange event. One prompt at a time. What is wanted, and what is reported, differs between a call
 * (call-devices.ts) and a conference (conference-devices.ts).
 */
import { AppError } from "../../shared/errors.ts";
import type { MediaTimer } from "../clock.ts";
import type { MediaDeps } from "../deps.ts";
import type { EffectsOfTab, Worn } from "../effects/effects.ts";
import type { Kind, LocalTracks } from "../engine.ts";
import type { Tally } from "../tally.ts";
import { afterLoss } from "./errors.ts";
import { createMutedVoice } from "./muted-voice.ts";
import {
  type DeviceChoice,
  type Fallback,
  openChosen,
  openDevices,
  type Preferences,
} from "./open.ts";
import { type SystemMute, watchSystemMute } from "./system-mute.ts";

export const KINDS: readonly Kind[] = ["audio", "video"];
/** ms to wait after a devicechange event, because plugging in one device causes several. */
const SETTLE_MS = 200;

/** Why a device is opened: it is wanted, it replaces one that ended, or devices were plugged in after it had failed. */
export type Cause = "wanted" | "lost" | "plugged";
export interface Attempt {
  readonly kind: Kind;
  readonly cause: Cause;
  /** null when the device is open. */
  readonly error: AppError | null;
}

export interface OwnDevicesPolicy {
  isWanted(kind: Kind): boolean;
  /** What to try after both devices failed together. */
  fallback(error: AppError): Promise<Fallback>;
  /** After devices were plugged in: whether to try this one again, which failed with `error`. */
  mayRetry(kind: Kind, error: AppError): boolean;
  /** The tracks to send and show from now on, changed by the effects. */
  tracks(tracks: LocalTracks): void;
  /** Devices that are no longer wanted are closed, and those that are missing are being opened. */
  looked?(): void;
  /** The devices that were being opened have opened or failed. */
  tried(attempts: readonly Attempt[]): void;
  /** The person chose another device, and it is in use. */
  switched(): void;
  /** The system silences a device that is open, or no longer does. */
  silenced?(): void;
  /** The person begins or ends to speak into the muted microphone. */
  mutedVoice(speaks: boolean): void;
}

export interface OwnDevices {
  /** The tracks of the devices themselves. */
  readonly tracks: LocalTracks;
  readonly closed: boolean;
  /** Why a device could not be opened; null when it is open, being opened or was never wanted. */
  error(kind: Kind): AppError | null;
  /** Whether the system silences the device, which is open. */
  isSilenced(kind: Kind): boolean;
  /** Whether the device is wanted, and neither open nor failed nor being switched. */
  isMissing(kind: Kind): boolean;
  /** Begins to open devices. Before, nothing opens. */
  start(): void;
  /** Call when what is wanted has changed. */
  look(): void;
  /** Forgets that a device failed, so that it is opened again when it is wanted. */
  forgive(kind: Kind, cause?: Cause): void;
  mute(muted: boolean): void;
  /**
   * Switches to another device. Rejects with AppError media.* and keeps the former one. A device that is off stays off.
   *
   * @param restore for the same device with other constraints, which a browser applies only after it was closed: restores the former
   *   constraints when it does not open with the new ones
   */
  use(kind: Kind, choice: DeviceChoice, restore?: () => void): Promise<void>;
  /** Idempotent. */
  close(): void;
}

export type OwnDevicesDeps = Pick<MediaDeps, "devices" | "clock" | "listen"> & {
  readonly preferences?: Preferences;
  readonly effectsOfTab: EffectsOfTab;
};

interface Slot {
  track: MediaStreamTrack | null;
  /** What is sent of it. */
  worn: Worn | null;
  error: AppError | null;
  cause: Cause;
  /** Whether it was open, ended, and has neither opened since nor was asked for by the person. */
  lost: boolean;
  silence: SystemMute | null;
  /** Whether the track was closed because its successor cannot open beside it. */
  switching: boolean;
  undo: (() => void)[];
}

export function createOwnDevices(
  deps: OwnDevicesDeps,
  tally: Tally,
  initiallyMuted: boolean,
  policy: OwnDevicesPolicy,
): OwnDevices {
  const emptySlot = (): Slot => ({
    track: null,
    worn: null,
    error: null,
    cause: "wanted",
    lost: false,
    silence: null,
    switching: false,
    undo: [],
  });
  const slots: Record<Kind, Slot> = { audio: emptySlot(), video: emptySlot() };
  let muted = initiallyMuted;
  let phase: "idle" | "started" | "closed" = "idle";
  let working = false;
  let settle: MediaTimer | null = null;
  const voice = createMutedVoice(deps, tally, (speaks) => policy.mutedVoice(speaks));
  const isClosed = (): boolean => phase === "closed";
  const tracks = (): LocalTracks => ({ audio: slots.audio.track, video: slots.video.track });
  const sent = (): LocalTracks => ({
    audio: slots.audio.worn?.track ?? null,
    video: slots.video.worn?.track ?? null,
  });
  const isMissing = (kind: Kind): boolean => {
    const { track, error, switching } = slots[kind];
    const isEmpty = track === null && error === null && !switching;
    return phase === "started" && isEmpty && policy.isWanted(kind);
  };

  const listenMuted = (): void => voice.listen(muted ? slots.audio.track : null);
  const drop = (kind: Kind): void => {
    const slot = slots[kind];
    if (kind === "audio") voice.listen(null);
    for (const run of slot.undo.splice(0)) run();
    slot.silence?.close();
    slot.silence = null;
    slot.worn?.close();
    slot.worn = null;
    slot.track?.stop();
    slot.track = null;
  };
  const holdTrack = (track: MediaStreamTrack): void => {
    const kind = track.kind as Kind;
    drop(kind);
    const slot = slots[kind];
    slot.track = track;
    slot.error = null;
    slot.cause = "wanted";
    slot.lost = false;
    if (kind === "audio") {
      track.enabled = !muted;
      listenMuted();
    }
    slot.worn = deps.effectsOfTab.wear(track, () => policy.tracks(sent()));
    slot.silence = watchSystemMute({ clock: deps.clock, tally }, track, () => policy.silenced?.());
    slot.undo.push(
      tally.open("tracks"),
      // Fires when the device is removed or the permission revoked, but not after stop().
      tally.listen(track, "ended", () => {
        drop(kind);
        slot.cause = "lost";
        slot.lost = true;
        policy.tracks(sent());
        look();
      }),
    );
  };
  const arrived = (opened: readonly MediaStreamTrack[]): void => {
    for (const track of opened) {
      const kind = track.kind as Kind;
      if (isClosed() || !policy.isWanted(kind) || slots[kind].track !== null) track.stop();
      else holdTrack(track);
    }
    if (!isClosed()) policy.tracks(sent());
  };
  const adopt = (track: MediaStreamTrack): void => {
    if (isClosed() || !policy.isWanted(track.kind as Kind)) return track.stop();
    holdTrack(track);
    policy.tracks(sent());
    policy.switched();
  };

  function closeUnwanted(): void {
    const unwanted = KINDS.filter((kind) => slots[kind].track !== null && !policy.isWanted(kind));
    for (const kind of unwanted) drop(kind);
    if (unwanted.length > 0) policy.tracks(sent());
    policy.looked?.();
  }
  /** One step at a time, so that quick clicks end in the last one's state. */
  async function work(): Promise<void> {
    working = true;
    try {
      while (!isClosed()) {
        closeUnwanted();
        const missing = KINDS.filter(isMissing);
        if (missing.length === 0) return;
        const causes = { audio: slots.audio.cause, video: slots.video.cause };
        await openDevices(
          deps.devices,
          missing,
          { preferences: deps.preferences, fallback: policy.fallback, ended: isClosed },
          {
            opened: arrived,
            failed(kind, error) {
              const slot = slots[kind];
              if (isMissing(kind)) slot.error = slot.lost ? afterLoss(kind, error) : error;
            },
          },
        );
        if (isClosed()) return;
        policy.tried(
          missing
            .filter((kind) => slots[kind].track !== null || slots[kind].error !== null)
            .map((kind) => ({ kind, cause: causes[kind], error: slots[kind].error })),
        );
      }
    } finally {
      working = false;
    }
  }
  function look(): void {
    if (phase !== "started") return;
    if (working) closeUnwanted();
    else void work();
  }
  const forgive = (kind: Kind, cause: Cause = "wanted"): void => {
    slots[kind].error = null;
    slots[kind].cause = cause;
    if (cause === "wanted") slots[kind].lost = false;
  };

  const chosen = (kind: Kind, choice: DeviceChoice): Promise<MediaStreamTrack> =>
    openChosen(deps.devices, kind, choice, deps.preferences?.constraints?.[kind]);
  const onPlugged = (): void => {
    for (const kind of KINDS) {
      const { error } = slots[kind];
      if (error !== null && policy.mayRetry(kind, error)) forgive(kind, "plugged");
    }
    look();
  };
  const stopListening =
    deps.devices === null
      ? () => undefined
      : tally.listen(deps.devices, "devicechange", () => {
          settle?.cancel();
          settle = deps.clock.after(SETTLE_MS, onPlugged);
        });

  return {
    get tracks() {
      return tracks();
    },
    get closed() {
      return isClosed();
    },
    error: (kind) => slots[kind].error,
    isSilenced: (kind) => slots[kind].silence?.on === true,
    isMissing,
    start() {
      if (phase !== "idle") return;
      phase = "started";
      look();
    },
    look,
    forgive,
    mute(next) {
      muted = next;
      for (const track of [slots.audio.track, sent().audio]) {
        if (track !== null) track.enabled = !next;
      }
      listenMuted();
    },
    async use(kind, choice, restore) {
      if (phase !== "started") throw new AppError("media.open-failed");
      if (!policy.isWanted(kind)) return;
      const former = slots[kind].track?.getSettings?.().deviceId;
      if (restore === undefined || former === undefined) {
        try {
          return adopt(await chosen(kind, choice));
        } catch (error) {
          const busy = error instanceof AppError && error.code === "media.device-busy";
          if (!busy || former === undefined || isClosed()) throw error;
        }
      }
      // Phones open one camera at a time: close the former one first, and reopen it if the new one still fails.
      drop(kind);
      slots[kind].switching = true;
      // A copy of the track that is sent as the small picture would keep the camera open.
      policy.tracks(sent());
      try {
        adopt(await chosen(kind, choice));
      } catch (second) {
        restore?.();
        adopt(await chosen(kind, { deviceId: former }));
        throw second;
      } finally {
        slots[kind].switching = false;
        look();
      }
    },
    close() {
      if (isClosed()) return;
      phase = "closed";
      settle?.cancel();
      stopListening();
      for (const kind of KINDS) drop(kind);
    },
  };
}
