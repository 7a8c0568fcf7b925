/**
 * Microphone and camera of a conference. A conference needs neither. Each device opens when the person wants it; the browser's
 * prompt has no deadline. Every change of state is reported. A device that failed is tried again after a devicechange event or a
 * change of permission.
 */
import type { DeviceState } from "../../shared/domain/device-states.ts";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import type { MediaDeps, MediaTimer } from "../deps.ts";
import type { Kind, LocalTracks } from "../engines/engine.ts";
import type { Tally } from "../tally.ts";
import { mediaErrorCode } from "./errors.ts";
import { type DeviceChoice, openBoth, openChosen, openDevice, type Preferences } from "./open.ts";

export interface CaptureSettings {
  readonly audioMuted: boolean;
  readonly audioOff: boolean;
  readonly videoOff: boolean;
}
export type CaptureStates = Readonly<Record<Kind, DeviceState>>;

export interface CaptureEvents {
  /** The tracks to send and show from now on. */
  tracks(tracks: LocalTracks): void;
  states(states: CaptureStates): void;
}

export interface Capture {
  readonly tracks: LocalTracks;
  open(): void;
  /** @param retry kinds to open again after a failure, because the person asked for them */
  set(settings: CaptureSettings, retry: readonly Kind[]): void;
  /** Switches to another device. Rejects with AppError media.* and keeps the former one. */
  use(kind: Kind, choice: DeviceChoice): Promise<void>;
  /** Emits the states again, for a new core. */
  replay(): void;
  close(): void;
}

/** ms to wait after a devicechange event, because plugging in one device causes several. */
const SETTLE_MS = 200;
const KINDS: readonly Kind[] = ["audio", "video"];
const STATE_OF: Partial<Record<ErrorCode, DeviceState>> = {
  "media.permission-denied": "denied",
  "media.no-device": "missing",
  "media.device-busy": "busy",
};
const PROBLEMS: readonly DeviceState[] = ["denied", "missing", "busy", "failed"];
const stateOf = (error: unknown): DeviceState => {
  const code = error instanceof AppError ? error.code : mediaErrorCode(error);
  return STATE_OF[code] ?? "failed";
};

interface Slot {
  state: DeviceState;
  track: MediaStreamTrack | null;
  undo: (() => void)[];
}

export function createCapture(
  deps: Pick<MediaDeps, "devices" | "clock" | "permission"> & {
    readonly preferences?: Preferences;
  },
  tally: Tally,
  initial: CaptureSettings,
  events: CaptureEvents,
): Capture {
  const slots: Record<Kind, Slot> = {
    audio: { state: "off", track: null, undo: [] },
    video: { state: "off", track: null, undo: [] },
  };
  let settings = initial;
  let phase: "idle" | "open" | "closed" = "idle";
  let working = false;
  let settle: MediaTimer | null = null;
  let told = "";
  const isClosed = (): boolean => phase === "closed";
  const tracks = (): LocalTracks => ({ audio: slots.audio.track, video: slots.video.track });
  const isWanted = (kind: Kind): boolean =>
    !(kind === "audio" ? settings.audioOff : settings.videoOff);
  const states = (): CaptureStates => ({ audio: slots.audio.state, video: slots.video.state });

  const tell = (): void => {
    const key = `${slots.audio.state} ${slots.video.state}`;
    if (isClosed() || key === told) return;
    told = key;
    events.states(states());
  };
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
    slot.state = "on";
    if (kind === "audio") track.enabled = !settings.audioMuted;
    slot.undo.push(
      tally.open("tracks"),
      // Fires when the device is removed or the permission revoked, but not after stop().
      tally.listen(track, "ended", () => {
        drop(kind);
        slot.state = "off";
        events.tracks(tracks());
        look();
      }),
    );
  };

  /** Marks wanted devices as "asking" and closes unwanted ones. */
  function mark(): void {
    let changed = false;
    for (const kind of KINDS) {
      const slot = slots[kind];
      if (isWanted(kind)) {
        if (slot.state === "off") slot.state = "asking";
        continue;
      }
      changed ||= slot.track !== null;
      drop(kind);
      slot.state = "off";
    }
    if (changed) events.tracks(tracks());
    tell();
  }
  const arrived = (opened: readonly MediaStreamTrack[]): void => {
    for (const track of opened) {
      const kind = track.kind as Kind;
      if (isClosed() || !isWanted(kind) || slots[kind].track !== null) track.stop();
      else take(track);
    }
    if (!isClosed()) events.tracks(tracks());
  };
  const failed = (kind: Kind, error: unknown): void => {
    if (slots[kind].state === "asking") slots[kind].state = stateOf(error);
  };
  async function one(kind: Kind): Promise<void> {
    try {
      arrived([await openDevice(deps.devices, kind, deps.preferences)]);
    } catch (error) {
      failed(kind, error);
    }
  }
  /** Opens both with one prompt. If that fails, tries each device alone. */
  async function both(): Promise<void> {
    let error: unknown;
    try {
      return arrived(await openBoth(deps.devices, deps.preferences));
    } catch (caught) {
      error = caught;
    }
    const refused = stateOf(error) === "denied";
    const permissions = refused ? await Promise.all(KINDS.map(deps.permission.of)) : [];
    for (const [index, kind] of KINDS.entries()) {
      if (isClosed()) return;
      const mine = permissions[index] ?? null;
      const other = permissions[1 - index] ?? null;
      // After a joint refusal, ask again only for a device that was refused because of the other one.
      const hopeless = refused && (mine === "denied" || (mine === "prompt" && other !== "denied"));
      if (hopeless) failed(kind, error);
      else await one(kind);
    }
  }
  /** Opens and closes devices until the state is as wanted, with one prompt at a time. */
  async function work(): Promise<void> {
    working = true;
    try {
      for (;;) {
        if (isClosed()) return;
        mark();
        const missing = KINDS.filter((kind) => slots[kind].state === "asking");
        const [kind] = missing;
        if (kind === undefined) return;
        await (missing.length === 2 ? both() : one(kind));
      }
    } finally {
      working = false;
    }
  }
  function look(): void {
    if (phase !== "open") return;
    if (working) mark();
    else void work();
  }
  const again = (mended: (state: DeviceState, kind: Kind) => boolean): void => {
    for (const kind of KINDS) {
      const slot = slots[kind];
      if (PROBLEMS.includes(slot.state) && mended(slot.state, kind)) slot.state = "off";
    }
    look();
  };

  const undo = [
    deps.devices === null
      ? () => undefined
      : tally.listen(deps.devices, "devicechange", () => {
          settle?.cancel();
          // Plugging in a device must not repeat a prompt that the person refused.
          settle = deps.clock.after(SETTLE_MS, () => again((state) => state !== "denied"));
        }),
    deps.permission.onGranted((kind) => again((state, of) => of === kind && state === "denied")),
  ];

  const adopt = (track: MediaStreamTrack): void => {
    if (isClosed() || !isWanted(track.kind as Kind)) return track.stop();
    take(track);
    events.tracks(tracks());
    tell();
  };

  return {
    get tracks() {
      return tracks();
    },
    open() {
      if (phase !== "idle") return;
      phase = "open";
      look();
      tell();
    },
    set(next, retry) {
      if (isClosed()) return;
      settings = next;
      if (slots.audio.track !== null) slots.audio.track.enabled = !next.audioMuted;
      again((_state, kind) => retry.includes(kind));
    },
    async use(kind, choice) {
      if (phase !== "open") throw new AppError("media.open-failed");
      // Choosing another device does not turn on one that is off.
      if (!isWanted(kind)) return;
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
        } catch (second) {
          adopt(await openChosen(deps.devices, kind, { deviceId: former }));
          throw second;
        }
      }
    },
    replay() {
      if (phase === "open") events.states(states());
    },
    close() {
      if (isClosed()) return;
      phase = "closed";
      settle?.cancel();
      for (const run of undo) run();
      for (const kind of KINDS) drop(kind);
    },
  };
}
