/** One ownership of the media of a call or conference, from waiting for the lock to releasing it. */
import { AppError } from "../../shared/errors.ts";
import type { MediaCommand } from "../../shared/protocol/media-port.ts";
import { CALL_OWNER_LOCK } from "../../shared/protocol/tab-port.ts";
import { browserVideoCodecs } from "../conference/codecs.ts";
import type { TabControl } from "../control/control.ts";
import type { Screen } from "../conference/screen.ts";
import type { StreamElements } from "../conference/streams.ts";
import type { MediaDeps } from "../deps.ts";
import type { EffectsOfTab } from "../effects/effects.ts";
import type { TransmissionCount } from "../contracts.ts";
import type { Elements } from "../elements/elements.ts";
import type { Kind, LocalTracks } from "../engine.ts";
import { createCallDevices } from "../media/call-devices.ts";
import { createConferenceDevices } from "../media/conference-devices.ts";
import type { DeviceChoice, Preferences } from "../media/open.ts";
import type { OwnTracks } from "../media/own-tracks.ts";
import type { SoundHub } from "../sound/hub.ts";
import type { Tally } from "../tally.ts";
import { createCallAdapter } from "./call-adapter.ts";
import type { EngineAdapter } from "./adapter.ts";
import { createConferenceAdapter } from "./conference-adapter.ts";
import type { OwnCommand } from "./commands.ts";
import type { OutEvent } from "./events.ts";
import { createPageLateness } from "./page-lateness.ts";

export interface Ownership {
  readonly callId: string;
  /** Whether the lock is held. */
  readonly held: boolean;
  /** It has no lock yet, and works all the same because another tab still carries the media. */
  readonly ahead: boolean;
  readonly localVideo: boolean;
  readonly remoteVideo: boolean;
  /** Whether the person speaks into the muted microphone. */
  readonly mutedVoice: boolean;
  /** Level of the own microphone, 0..1. */
  readonly ownLevel: number;
  /** The tracks of the devices that are open. */
  readonly tracks: LocalTracks;
  /** Counters of a stream's connection. */
  transmission(id: string): Promise<TransmissionCount[]>;
  rtcIds(): string[];
  /** Whether a new `own` command means the same media, which then continues. */
  fits(command: OwnCommand): boolean;
  /** Applies a new `own` command for the same media. */
  renew(command: OwnCommand): void;
  command(command: MediaCommand): void;
  /** Switches to another microphone or camera. Rejects with AppError media.* and keeps the former one. */
  use(kind: Kind, choice: DeviceChoice): Promise<void>;
  /** Asks an open device for another picture or sound. Rejects with AppError media.*, and in a call always. */
  constrain(kind: Kind, constraints: MediaTrackConstraints): Promise<void>;
  /** Call when tiles of a conference were added or removed, or changed their size. */
  tilesChanged(): void;
  /** Sends the current states to a new core. */
  replay(): void;
  /** Closes everything and releases the lock immediately. Idempotent. */
  end(): void;
}

export interface OwnershipDeps extends MediaDeps {
  readonly tally: Tally;
  readonly elements: Elements;
  readonly streams: StreamElements;
  readonly screen: Screen;
  readonly tabControl: TabControl;
  readonly sound: SoundHub;
  /** Devices that the person has chosen in this tab. */
  readonly preferences: Preferences;
  readonly effectsOfTab: EffectsOfTab;
  /** Tracks that the host page gives in place of devices. */
  readonly ownTracks: OwnTracks;
  readonly nextCamera: () => Promise<boolean>;
}

/** Most commands kept until the lock is held. */
const WAITING_LIMIT = 500;

type Settings = Pick<OwnCommand, "audioMuted" | "videoOff" | "sources"> & {
  readonly audioOff: boolean;
};
const settingsOf = (from: {
  readonly audioMuted: boolean;
  readonly videoOff: boolean;
  readonly audioOff?: boolean | undefined;
  readonly sources?: Settings["sources"];
}): Settings => ({
  audioMuted: from.audioMuted,
  audioOff: from.audioOff === true,
  videoOff: from.videoOff,
  sources: from.sources,
});

/** The own devices. A call fails without any; a conference does not. */
interface OwnedDevices {
  readonly tracks: LocalTracks;
  open(): void;
  set(settings: Settings, retry: readonly Kind[]): void;
  use(kind: Kind, choice: DeviceChoice): Promise<void>;
  /** Absent in a call. */
  constrain?(kind: Kind, constraints: MediaTrackConstraints): Promise<void>;
  replay(): void;
  close(): void;
}

export function createOwnership(
  deps: OwnershipDeps,
  own: OwnCommand,
  post: (event: OutEvent) => void,
  onChange: () => void,
): Ownership {
  const { tally, elements, streams } = deps;
  const inConference = own.engine.kind === "conference";
  const cloud = own.engine.kind === "conference" ? (own.engine.cloud ?? null) : null;
  const abort = new AbortController();
  const waiting: MediaCommand[] = [];
  const lateness = createPageLateness(deps, tally);
  let config = own.rtcCfg as RTCConfiguration;
  let settings = settingsOf(own);
  let adapter: EngineAdapter | null = null;
  let local: OwnedDevices | null = null;
  let lock: { release(): void } | null = null;
  let ended = false;
  let speaksMuted = false;

  /** Applies a `local` command. @returns false for any other command */
  const heardLocal = (command: MediaCommand): boolean => {
    if (command.t !== "local") return false;
    settings = settingsOf(command);
    local?.set(settings, command.retry ?? []);
    return true;
  };
  const sample = (id: string, from: EngineAdapter): void => {
    // Always answer, with no samples after an error: an unanswered request would block the core's next one.
    from.sample().then(
      (samples) => post({ t: "samples", id, samples, ...lateness.read() }),
      (error: unknown) => {
        deps.report(`sample failed: ${String(error)}`);
        post({ t: "samples", id, samples: [] });
      },
    );
  };
  const handle = (command: MediaCommand, by: EngineAdapter): void => {
    if (heardLocal(command)) return;
    if (command.t === "sample") sample(command.id, by);
    else by.command(command);
  };

  /** @returns false when the ownership ended first, or failed */
  const takeLock = async (): Promise<boolean> => {
    let held: { release(): void };
    try {
      held = await deps.acquireLock(CALL_OWNER_LOCK, abort.signal);
    } catch (error) {
      if (ended) return false;
      deps.report(`call-owner lock not given: ${String(error)}`);
      post({ t: "failed", error: AppError.from(error, "core.unsupported").toWire() });
      return false;
    }
    if (ended) {
      held.release();
      return false;
    }
    const undo = tally.open("locks");
    lock = {
      release() {
        undo();
        held.release();
      },
    };
    return true;
  };
  const openMedia = (): OwnedDevices => {
    const onTracks = (tracks: LocalTracks): void => {
      adapter?.setTracks(tracks);
      if (!inConference) elements.showVideo("local", tracks.video);
      onChange();
    };
    const mutedVoice = (speaks: boolean): void => {
      speaksMuted = speaks;
      onChange();
    };
    const media: OwnedDevices = inConference
      ? createConferenceDevices(deps, tally, settings, {
          tracks: onTracks,
          states: (states) => post({ t: "capture", ...states }),
          mutedVoice,
        })
      : createCallDevices(deps, tally, own.media, settings, {
          tracks: onTracks,
          opened({ notice, ...has }) {
            const codecs = browserVideoCodecs();
            post({
              t: "opened",
              ...has,
              ...(notice === undefined ? {} : { notice: notice.toWire() }),
              ...(codecs === undefined ? {} : { codecs }),
            });
          },
          failed: (error) => post({ t: "failed", error: error.toWire() }),
          devices: (text) => post({ t: "devices", text }),
          mutedVoice,
        });
    local = media;
    if (lock !== null) post({ t: "owned" });
    const made = inConference
      ? createConferenceAdapter(
          { ...deps, device: () => local?.tracks.video ?? null },
          { config, cloud },
          post,
        )
      : createCallAdapter(deps, own, config, post, onChange);
    adapter = made;
    onChange();
    // Offers do not wait for devices. The tracks are added once the devices are open.
    for (const command of waiting.splice(0)) handle(command, made);
    return media;
  };
  const start = async (): Promise<void> => {
    // The host drops events of an ownership that it does not know yet.
    await Promise.resolve();
    if (ended) return;
    // Beside the tab that carries the media: everything is ready when that one gives the lock back.
    const early = own.ahead === true ? openMedia() : null;
    early?.open();
    if (!(await takeLock())) return;
    if (early === null) return openMedia().open();
    post({ t: "owned" });
    onChange();
  };
  void start();

  const replay = (): void => {
    if (lock === null) return;
    if (inConference) post({ t: "owned" });
    local?.replay();
    adapter?.replay();
    if (elements.blocked || streams.blocked) post({ t: "autoplay", blocked: true });
  };

  return {
    callId: own.callId,
    get held() {
      return lock !== null;
    },
    get ahead() {
      return own.ahead === true && lock === null;
    },
    get localVideo() {
      return (local?.tracks.video ?? null) !== null;
    },
    get remoteVideo() {
      return adapter?.remoteVideo ?? false;
    },
    get mutedVoice() {
      return speaksMuted;
    },
    get ownLevel() {
      return adapter?.ownLevel ?? 0;
    },
    get tracks() {
      return local?.tracks ?? { audio: null, video: null };
    },
    transmission: async (id) => (await adapter?.transmission?.(id)) ?? [],
    rtcIds: () => adapter?.rtcIds() ?? [],
    fits: (command) =>
      command.callId === own.callId &&
      command.media === own.media &&
      command.engine.kind === own.engine.kind &&
      (command.engine.kind !== "agora" ||
        own.engine.kind !== "agora" ||
        command.engine.channel === own.engine.channel),
    renew(command) {
      const before = settings;
      settings = settingsOf(command);
      const changed = JSON.stringify(before) !== JSON.stringify(settings);
      config = command.rtcCfg as RTCConfiguration;
      if (lock === null) return; // `start` sends "owned" once the lock is held
      adapter?.configure(config);
      if (changed) local?.set(settings, []);
      if (!inConference) post({ t: "owned" });
      replay();
    },
    command(command) {
      if (ended) return;
      if (command.t === "replay") replay();
      else if (adapter !== null) handle(command, adapter);
      else if (heardLocal(command)) return;
      else if (waiting.length < WAITING_LIMIT) waiting.push(command);
      else deps.report(`${command.t} dropped: too many commands before the lock is held`);
    },
    replay,
    async use(kind, choice) {
      if (local === null) throw new AppError("media.open-failed");
      await local.use(kind, choice);
    },
    async constrain(kind, constraints) {
      if (local?.constrain === undefined) throw new AppError("media.open-failed");
      await local.constrain(kind, constraints);
    },
    tilesChanged: () => adapter?.tiles(),
    end() {
      if (ended) return;
      ended = true;
      abort.abort();
      lateness.stop();
      waiting.length = 0;
      adapter?.close();
      if (!inConference) elements.showVideo("local", null);
      local?.close();
      lock?.release();
      lock = null;
      local = null;
      adapter = null;
      onChange();
    },
  };
}
