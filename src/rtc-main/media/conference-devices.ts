/**
 * The own microphone and camera of a conference. A conference needs neither. Each device opens when the person wants it; the browser's
 * prompt has no deadline. Every change of state is reported. A device that failed is tried again after a devicechange event or a change of
 * permission (docs/conferences.md#devices).
 */
import type { DeviceState } from "../../shared/domain/device-states.ts";
import type { MediaDeps } from "../deps.ts";
import type { Kind, LocalTracks } from "../engines/engine.ts";
import type { Tally } from "../tally.ts";
import { causeOfError } from "./errors.ts";
import type { DeviceChoice } from "./open.ts";
import { createOwnDevices, KINDS, type OwnDevicesDeps } from "./own-devices.ts";

export interface ConferenceDeviceSettings {
  readonly audioMuted: boolean;
  readonly audioOff: boolean;
  readonly videoOff: boolean;
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
  /** Emits the states again, for a new core. */
  replay(): void;
  close(): void;
}

export function createConferenceDevices(
  deps: OwnDevicesDeps & Pick<MediaDeps, "permission">,
  tally: Tally,
  initial: ConferenceDeviceSettings,
  events: ConferenceDeviceEvents,
): ConferenceDevices {
  const { permission } = deps;
  let settings = initial;
  let opened = false;
  let emitted = "";
  const isWanted = (kind: Kind): boolean =>
    !(kind === "audio" ? settings.audioOff : settings.videoOff);

  const devices = createOwnDevices(deps, tally, initial.audioMuted, {
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
    tracks: events.tracks,
    looked: () => reportStates(),
    tried: () => reportStates(),
    switched: () => reportStates(),
    silenced: () => reportStates(),
    mutedVoice: events.mutedVoice,
  });
  const stateOf = (kind: Kind): DeviceState => {
    if (!isWanted(kind)) return "off";
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

  return {
    get tracks() {
      return devices.tracks;
    },
    open() {
      opened = true;
      devices.start();
    },
    set(next, retry) {
      settings = next;
      devices.mute(next.audioMuted);
      for (const kind of KINDS) {
        // A device that is turned off and on again is tried again.
        if (!isWanted(kind) || retry.includes(kind)) devices.forgive(kind);
      }
      devices.look();
    },
    use: (kind, choice) => devices.use(kind, choice),
    replay() {
      if (opened && !devices.closed) events.states(states());
    },
    close() {
      stopPermission();
      devices.close();
    },
  };
}
