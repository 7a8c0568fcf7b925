/**
 * The own microphone and camera of a conference. A conference needs neither. Each device opens when the person wants it; the browser's
 * prompt has no deadline. Every change of state is reported. A device that failed is tried again after a devicechange event or a change of
 * permission (docs/conferences.md#devices).
 */
import type { DeviceState } from "../../shared/domain/device-states.ts";
import type { CaptureSources } from "../../shared/protocol/confr-publish.ts";
import { AppError } from "../../shared/errors.ts";
import type { MediaDeps } from "../deps.ts";
import type { Kind, LocalTracks } from "../engine.ts";
import type { Tally } from "../tally.ts";
import { causeOfError } from "./errors.ts";
import type { DeviceChoice, Preferences } from "./open.ts";
import { createOwnDevices, KINDS, type OwnDevicesDeps } from "./own-devices.ts";
import { hasEnded, type OwnTracks } from "./own-tracks.ts";

export interface ConferenceDeviceSettings {
  readonly audioMuted: boolean;
  readonly audioOff: boolean;
  readonly videoOff: boolean;
  /** Where sound and picture come from. Default: from devices. */
  readonly sources?: CaptureSources | undefined;
}
export type CaptureStates = Readonly<Record<Kind, DeviceState>>;

export interface ConferenceDeviceEvents {
  /** The tracks to send and show from now on. */
  tracks(tracks: LocalTracks): void;
  states(states: CaptureStates): void;
  /** The person begins or ends to speak into the muted microphone. */
  mutedVoice(speaks: boolean): void;
}

export interface ConferenceDevices {
  readonly tracks: LocalTracks;
  open(): void;
  /** @param retry kinds to open again after a failure, because the person asked for them */
  set(settings: ConferenceDeviceSettings, retry: readonly Kind[]): void;
  /** Switches to another device. Rejects with AppError media.* and keeps the former one. */
  use(kind: Kind, choice: DeviceChoice): Promise<void>;
  /**
   * The device opens again and gives pictures or sound as asked, and so does each that opens later. Rejects with AppError media.* and
   * leaves everything as it was; a device that is off only opens so later.
   */
  constrain(kind: Kind, constraints: MediaTrackConstraints): Promise<void>;
  /** Emits the states again, for a new core. */
  replay(): void;
  close(): void;
}

export function createConferenceDevices(
  deps: OwnDevicesDeps & Pick<MediaDeps, "permission"> & { readonly ownTracks?: OwnTracks },
  tally: Tally,
  initial: ConferenceDeviceSettings,
  events: ConferenceDeviceEvents,
): ConferenceDevices {
  const { permission } = deps;
  let settings = initial;
  let opened = false;
  let emitted = "";
  /** What the devices give. */
  let given: LocalTracks = { audio: null, video: null };
  const isOn = (kind: Kind): boolean => !(kind === "audio" ? settings.audioOff : settings.videoOff);
  /** Whether the host page gives the track. Then no device opens, not even when that track is gone. */
  const isOwn = (kind: Kind): boolean => settings.sources?.[kind] === "own";
  const isWanted = (kind: Kind): boolean => isOn(kind) && !isOwn(kind);
  const ownTrack = (kind: Kind): MediaStreamTrack | null => deps.ownTracks?.tracks[kind] ?? null;
  const trackOf = (kind: Kind): MediaStreamTrack | null => {
    if (!isOwn(kind)) return given[kind];
    const track = ownTrack(kind);
    // The host's track stays as it is. While it is muted here, nothing of it is sent.
    const sends = isOn(kind) && !(kind === "audio" && settings.audioMuted);
    return sends && track !== null && !hasEnded(track) ? track : null;
  };
  const emitTracks = (): void =>
    events.tracks({ audio: trackOf("audio"), video: trackOf("video") });
  /** Kinds whose device the person has chosen since: a device that the constraints name no longer counts. */
  const chosen = new Set<Kind>();
  const constraintsFor = (kind: Kind): MediaTrackConstraints => {
    const source = settings.sources?.[kind];
    if (source === undefined || source === "own") return {};
    const asked = source as MediaTrackConstraints;
    if (!chosen.has(kind)) return asked;
    const { deviceId: _id, facingMode: _facing, ...rest } = asked;
    return rest;
  };
  // The person may choose other devices at any time, so the choices are read when a device opens.
  const preferences = {
    get audio() {
      return deps.preferences?.audio;
    },
    get video() {
      return deps.preferences?.video;
    },
    get constraints() {
      return { audio: constraintsFor("audio"), video: constraintsFor("video") };
    },
  } as Preferences;

  const devices = createOwnDevices({ ...deps, preferences }, tally, initial.audioMuted, {
    isWanted,
    async fallback(error) {
      if (error.code !== "media.permission-denied") return { alone: KINDS, one: false };
      const permissions = await Promise.all(KINDS.map(permission.stateOf));
      // After a joint refusal, ask again only for a device that was refused because of the other one.
      const alone = KINDS.filter((_kind, index) => {
        const ownPermission = permissions[index];
        const other = permissions[1 - index];
        return ownPermission !== "denied" && (ownPermission !== "prompt" || other === "denied");
      });
      return { alone, one: false };
    },
    // Plugging in a device must not repeat a prompt that the person refused.
    mayRetry: (_kind, error) => error.code !== "media.permission-denied",
    tracks(tracks) {
      given = tracks;
      emitTracks();
    },
    looked: () => reportStates(),
    tried: () => reportStates(),
    switched: () => reportStates(),
    silenced: () => reportStates(),
    mutedVoice: events.mutedVoice,
  });
  const stateOf = (kind: Kind): DeviceState => {
    if (!isOn(kind)) return "off";
    if (isOwn(kind)) {
      const track = ownTrack(kind);
      return track === null ? "missing" : hasEnded(track) ? "unplugged" : "on";
    }
    const error = devices.error(kind);
    if (error !== null) return causeOfError(error);
    if (devices.isSilenced(kind)) return "system-muted";
    return devices.isMissing(kind) ? "asking" : "on";
  };
  const states = (): CaptureStates => ({ audio: stateOf("audio"), video: stateOf("video") });
  function reportStates(): void {
    const now = states();
    const key = `${now.audio} ${now.video}`;
    if (devices.closed || key === emitted) return;
    emitted = key;
    events.states(now);
  }

  const stopPermission = permission.onGranted((kind) => {
    if (devices.error(kind)?.code === "media.permission-denied") devices.forgive(kind);
    devices.look();
  });

  const stopOwn = deps.ownTracks?.onChange(() => {
    if (!opened || devices.closed || !KINDS.some(isOwn)) return;
    emitTracks();
    reportStates();
  });

  return {
    get tracks() {
      const { audio, video } = devices.tracks;
      return {
        audio: isOwn("audio") ? trackOf("audio") : audio,
        video: isOwn("video") ? trackOf("video") : video,
      };
    },
    open() {
      opened = true;
      devices.start();
      if (KINDS.some(isOwn)) emitTracks();
    },
    set(next, retry) {
      const before = settings.sources;
      settings = next;
      for (const kind of KINDS) {
        if (JSON.stringify(before?.[kind]) !== JSON.stringify(next.sources?.[kind]))
          chosen.delete(kind);
      }
      devices.mute(next.audioMuted);
      for (const kind of KINDS) {
        // A device that is turned off and on again is tried again.
        if (!isWanted(kind) || retry.includes(kind)) devices.forgive(kind);
      }
      devices.look();
      if (opened && KINDS.some(isOwn)) {
        emitTracks();
        reportStates();
      }
    },
    async use(kind, choice) {
      await devices.use(kind, choice);
      chosen.add(kind);
    },
    async constrain(kind, constraints) {
      const source = settings.sources?.[kind];
      if (source === "own") throw new AppError("media.open-failed");
      const ask = (next: CaptureSources[Kind]): void => {
        settings = { ...settings, sources: { ...settings.sources, [kind]: next } };
      };
      // As the core writes it, so that its next settings open nothing again.
      ask({ ...source, ...constraints } as CaptureSources[Kind]);
      const track = devices.tracks[kind];
      const deviceId = track?.getSettings?.().deviceId;
      if (track === null || deviceId === undefined) return;
      // Browsers make an open camera's picture smaller, but not larger, so the device is closed and opens again.
      await devices.use(kind, { deviceId }, () => ask(source));
    },
    replay() {
      if (opened && !devices.closed) events.states(states());
    },
    close() {
      stopPermission();
      stopOwn?.();
      devices.close();
    },
  };
}
