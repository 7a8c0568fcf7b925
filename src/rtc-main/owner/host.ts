/** The media host of a tab: one port to the core; the media of a call, of a conference, or of both while a call becomes a group call. */
import { AppError } from "../../shared/errors.ts";
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import type { HostTracks, MediaHost, MediaHostState } from "../contracts.ts";
import type { MediaDeps } from "../deps.ts";
import type { LocalTracks } from "../engine.ts";
import { createTabControl } from "../control/control.ts";
import { createScreen } from "../conference/screen.ts";
import { createStreamElements, SCREEN, SELF } from "../conference/streams.ts";
import { createEffects } from "../effects/effects.ts";
import { createElements } from "../elements/elements.ts";
import { createDevicesAhead } from "../media/ahead.ts";
import { createDevices } from "../media/devices.ts";
import { createOwnTracks } from "../media/own-tracks.ts";
import { createPreview, type OwnPreview } from "../media/preview.ts";
import { createSoundHub } from "../sound/hub.ts";
import { createTally, type DebugCounts } from "../tally.ts";
import { createTrackWatch } from "./track-watch.ts";
import { readCommand, type OwnCommand } from "./commands.ts";
import type { OutEvent } from "./events.ts";
import { createOwnership, type Ownership } from "./ownership.ts";
import { createSharedLock } from "./shared-lock.ts";

export interface CountingMediaHost extends MediaHost, HostTracks {
  /** Counts of open resources; all zero when no media is owned and no element is bound (the host may keep one listener). */
  debugCounts(): DebugCounts;
  /** A call rings here: opens its devices, which are neither shown nor sent before the answer. null: the ring ended without an answer here. */
  openAhead(media: CallMedia | null): void;
}

type Slot = "call" | "conference";
const slotOf = ({ engine }: OwnCommand): Slot =>
  engine.kind === "conference" ? "conference" : "call";

const IDLE: MediaHostState = {
  owning: false,
  callId: null,
  autoplayBlocked: false,
  localVideo: false,
  remoteVideo: false,
  mutedVoice: false,
  screenPaused: false,
};

/** Creates the media half of this tab: contracts.ts has the console's interface, media-port.ts the core's commands. */
export function createMediaHost(deps: MediaDeps): CountingMediaHost {
  const tally = createTally();
  const handlers = new Set<() => void>();
  let port: MessagePort | null = null;
  /** What this tab carries. */
  const slots: Record<Slot, { epoch: number; ownership: Ownership } | null> = {
    call: null,
    conference: null,
  };
  const lock = createSharedLock((name, signal) => deps.acquireLock(name, signal));
  /** The newest epoch received on this port. Commands with an older epoch are dropped. */
  let known: number | null = null;
  let state = IDLE;
  let disposed = false;
  let preview: OwnPreview | null = null;

  const send = (epoch: number, event: OutEvent): void => {
    try {
      port?.postMessage({ ...event, epoch });
    } catch (error) {
      deps.report(`${event.t} not sent: ${String(error)}`);
    }
  };
  /** The call is first: beside it, the conference is not shown yet. */
  const carried = () => [slots.call, slots.conference].filter((one) => one !== null);
  const onBlocked = (blocked: boolean): void => {
    for (const { epoch } of carried()) send(epoch, { t: "autoplay", blocked });
    changed();
  };
  const elements = createElements(deps, tally, onBlocked);
  const tracks = createTrackWatch(() => ownedTracks());
  const ownedTracks = (): LocalTracks =>
    slots.conference?.ownership.tracks ?? { audio: null, video: null };
  const streams = createStreamElements(deps, tally, {
    blocked: onBlocked,
    tracks(id) {
      if (id !== SELF && id !== SCREEN) tracks.changed(id);
    },
    wish: () => slots.conference?.ownership.tilesChanged(),
    painted(id) {
      const { call, conference } = slots;
      if (call === null || conference === null || id === SELF || id === SCREEN) return;
      send(conference.epoch, { t: "conference", body: { t: "shown", streamId: id } });
    },
  });
  const effects = createEffects(deps, tally, () => handlers.forEach((handler) => handler()));
  const ownTracks = createOwnTracks(tally);
  const sound = createSoundHub();
  const screen = createScreen(deps, tally);
  screen.onChange(() => {
    changed();
    tracks.changed(SCREEN);
  });
  const control = createTabControl(deps.control, screen);
  const devices = createDevices(deps.devices, {
    tracks: () => carried()[0]?.ownership.tracks ?? preview?.tracks ?? null,
    async use(kind, choice) {
      await preview?.use(kind, choice);
      for (const { ownership } of carried()) await ownership.use(kind, choice);
      changed();
    },
    async sink(deviceId) {
      await streams.sink(deviceId);
      await elements.sink(deviceId);
    },
    report: deps.report,
  });

  const ahead = createDevicesAhead(deps.devices, deps.permission, devices.preferences, tally);

  function changed(): void {
    tracks.lookAtOwn();
    const owner = carried()[0]?.ownership ?? null;
    const next: MediaHostState =
      owner === null || !owner.held
        ? IDLE
        : {
            owning: true,
            callId: owner.callId,
            autoplayBlocked: elements.blocked || streams.blocked,
            localVideo: owner.localVideo,
            remoteVideo: owner.remoteVideo,
            mutedVoice: owner.mutedVoice,
            screenPaused: screen.paused,
          };
    const keys = Object.keys(IDLE) as (keyof MediaHostState)[];
    if (keys.every((key) => next[key] === state[key])) return;
    state = next;
    for (const handler of handlers) handler();
  }

  const end = (slot: Slot): void => {
    const owner = slots[slot]?.ownership;
    slots[slot] = null;
    // They cannot follow the media to another tab.
    if (slot === "conference" && owner !== undefined) ownTracks.clear();
    // The two sounds of the other side would be heard twice.
    if (slots.call === null) streams.hush(false);
    owner?.end();
    changed();
  };
  const endAll = (): void => {
    end("conference");
    end("call");
  };

  const own = (command: OwnCommand): void => {
    const slot = slotOf(command);
    const present = slots[slot];
    if (command.beside !== true) end(slot === "call" ? "conference" : "call");
    if (present?.ownership.fits(command) === true) {
      present.epoch = command.epoch;
      present.ownership.renew(command);
      return;
    }
    end(slot);
    const ownership: Ownership = createOwnership(
      {
        ...deps,
        devices: ahead.port,
        acquireLock: lock,
        tally,
        elements,
        streams,
        screen,
        tabControl: control,
        sound,
        preferences: devices.preferences,
        effectsOfTab: effects,
        ownTracks,
        nextCamera: () => devices.next("videoinput"),
      },
      command,
      (event) => {
        const current = slots[slot];
        // Drop late events of an ended ownership.
        if (current?.ownership === ownership) send(current.epoch, event);
      },
      changed,
    );
    slots[slot] = { epoch: command.epoch, ownership };
    streams.hush(slots.call !== null);
  };
  const slotWith = (epoch: number): Slot | null =>
    slots.call?.epoch === epoch ? "call" : slots.conference?.epoch === epoch ? "conference" : null;

  const release = (epoch: number): void => {
    const slot = slotWith(epoch);
    if (slot !== null) end(slot);
    send(epoch, { t: "released" });
  };

  const onMessage = (event: MessageEvent): void => {
    const epochs = { newest: known, carried: carried().map(({ epoch }) => epoch) };
    const command = readCommand(event.data, epochs, deps.report);
    if (command === null) return;
    known = Math.max(known ?? command.epoch, command.epoch);
    if (command.t === "own") return own(command);
    if (command.t === "release") return release(command.epoch);
    const slot = slotWith(command.epoch);
    if (slot === null) deps.report(`${command.t} dropped: this tab carries nothing`);
    else slots[slot]?.ownership.command(command);
  };

  const disconnect = (): void => {
    if (port === null) return;
    port.onmessage = null;
    port.close();
    port = null;
  };
  const closePreview = (): void => {
    preview?.close();
    preview = null;
  };
  const undoFreeze = deps.onFreeze(() => {
    // In the back/forward cache the page would keep the lock and block every other tab.
    const epochs = carried().map(({ epoch }) => epoch);
    endAll();
    ahead.open(null);
    closePreview();
    for (const epoch of epochs) send(epoch, { t: "released" });
  });

  return {
    requireConnections() {
      if (!deps.hasConnections()) throw new AppError("media.no-connections");
    },
    connect(next) {
      if (disposed) return next.close();
      if (next === port) return;
      disconnect();
      port = next;
      // A new core knows nothing of a control.
      control.stop();
      // A new core may restart its epochs. Owned media keeps its epoch, which the core learns from the claim.
      // It knows a call or a conference, never both: a call that was becoming a group call stays a call of two.
      if (slots.call !== null) end("conference");
      // It knows nothing of a tab that was about to take over.
      if (slots.call?.ownership.ahead === true) end("call");
      known = carried()[0]?.epoch ?? null;
      next.onmessage = onMessage; // starts the port
      carried()[0]?.ownership.replay();
    },
    claim() {
      const [first] = carried();
      if (first === undefined || !first.ownership.held) return null;
      const { epoch, ownership } = first;
      return { callId: ownership.callId, ownerEpoch: epoch, rtcIds: ownership.rtcIds() };
    },
    bindVideo: (which, element) => elements.bind(which, element),
    getState: () => state,
    subscribe(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    async resumePlayback() {
      await Promise.all([elements.resume(), streams.resume()]);
    },
    bindStream: (id, element) => streams.bind(id, element),
    captureScreen: (options) => screen.capture(options),
    stopScreen: () => screen.stop(),
    async constrain(kind, constraints) {
      const { conference } = slots;
      if (conference === null) throw new AppError("media.open-failed");
      await conference.ownership.constrain(kind, constraints);
    },
    provideTracks: (given) => ownTracks.put(given),
    tracksOf: (id) =>
      id === SELF ? ownedTracks() : id === SCREEN ? screen.tracks() : streams.tracks(id),
    onTracks: tracks.onTracks,
    setVolume: (id, volume) => streams.setVolume(id, volume),
    bindSound: (id, element) => streams.bindSound(id, element),
    mediaDevices: (kind) => devices.list(kind),
    changeDevice: (kind, deviceId) => devices.change(kind, { deviceId }),
    changeCameraTo: (facingMode) => devices.change("videoinput", { facingMode }),
    effects: () => effects.read(),
    wantEffects: (wanted) => effects.want(wanted),
    openAhead: (media) => ahead.open(media),
    preview(wish, show) {
      closePreview();
      const parts = { ...deps, preferences: devices.preferences, effectsOfTab: effects };
      const opened = createPreview(parts, tally, wish, show);
      preview = opened;
      const close = (): void => {
        opened.close();
        if (preview === opened) preview = null;
      };
      return Promise.resolve({
        want: opened.want,
        retry: opened.retry,
        level: opened.level,
        close,
      });
    },
    controlWith: (executor) => control.use(executor),
    onSound: sound.watch,
    meterMillis: () => deps.meter.getMediaMeterIntervalMillis,
    transmission: async (id) => (await slots.conference?.ownership.transmission(id)) ?? [],
    localLevel: () => slots.conference?.ownership.ownLevel ?? 0,
    dispose() {
      if (disposed) return;
      disposed = true;
      undoFreeze();
      endAll();
      ahead.open(null);
      closePreview();
      screen.stop();
      ownTracks.clear();
      handlers.clear();
      tracks.clear();
      disconnect();
    },
    debugCounts: () => tally.read(),
  };
}
