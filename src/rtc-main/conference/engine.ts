/**
 * The conference engine of the tab that owns the media. It creates the connections that the core commands, one per stream, and
 * reports their states. The core decides which streams to use and what to retry.
 */
import { STREAM_TYPE } from "../../shared/domain/conference-types.ts";
import { AppError } from "../../shared/errors.ts";
import type {
  ConferenceMediaCommand,
  ConferenceMediaEvent,
} from "../../shared/protocol/confr-media.ts";
import type { StreamSample } from "../../shared/protocol/qoe.ts";
import { createDrivers } from "../connections/drivers.ts";
import type { MediaDeps } from "../deps.ts";
import type { IceState, Kind, LocalTracks } from "../engine.ts";
import { createRecorder } from "../recording/recorder.ts";
import type { SoundHub } from "../sound/hub.ts";
import { createStreamMeters, type Metered } from "../sound/stream-meters.ts";
import type { TransmissionCount } from "../contracts.ts";
import { transmissionOf } from "../stats/transmission.ts";
import type { Tally } from "../tally.ts";
import { createMeter } from "../sound/meter.ts";
import { playMix } from "./mix.ts";
import { createPublisher, type Publisher, type PublishCommand } from "./publisher.ts";
import { createReceiver, type Receiver, type SubscribeCommand } from "./receiver.ts";
import type { Screen } from "./screen.ts";
import { createSilence, trafficOf } from "../connections/silence.ts";
import { SCREEN, SELF, type StreamElements } from "./streams.ts";
import { createSubscriptionQueue } from "./subscription-queue.ts";
import { createRequestedLayers } from "./requested-layers.ts";

/** States in which a negotiation no longer delays the next one. */
const SETTLED: ReadonlySet<IceState> = new Set(["connected", "completed", "failed", "closed"]);

export interface ConferenceEngine {
  command(command: ConferenceMediaCommand): void;
  setTracks(tracks: LocalTracks): void;
  /** Sets the ICE servers for new connections and for the next ICE restart of existing ones. */
  configure(config: RTCConfiguration): void;
  sample(): Promise<StreamSample[]>;
  rtcIds(): string[];
  /** Call when elements were added or removed, or changed their size. */
  requestLayers(): void;
  /** Counters of the stream's connection. */
  transmission(streamId: string): Promise<TransmissionCount[]>;
  /** Last measured level of the own microphone, 0..1. */
  readonly ownLevel: number;
  replay(): void;
  /** Idempotent. */
  close(): void;
}

export interface ConferenceEngineOptions {
  readonly config: RTCConfiguration;
  readonly tally: Tally;
  readonly streams: StreamElements;
  readonly screen: Screen;
  readonly sound: SoundHub;
}

export function createConferenceEngine(
  deps: MediaDeps,
  options: ConferenceEngineOptions,
  post: (event: ConferenceMediaEvent) => void,
): ConferenceEngine {
  const { tally, streams, screen, sound } = options;
  const { clock } = deps;
  let tracks: LocalTracks = { audio: null, video: null };
  const publishers = new Map<string, Publisher>();
  const receivers = new Map<string, Receiver>();
  const sizes = new Map<string, string>();
  let ownLevel = 0;
  const meters = createStreamMeters(deps.listen);
  let closed = false;

  const subscriptionQueue = createSubscriptionQueue(clock, deps.serialSubscriptions);
  const requestedLayers = createRequestedLayers(clock, streams.wish, (streamId, layer) =>
    post({ t: "wish", streamId, layer }),
  );
  const meter = createMeter(
    clock,
    () => levels(),
    (streamIds) => post({ t: "talking", streamIds }),
    deps.meter,
  );
  const silence = createSilence(
    clock,
    () =>
      drivers.connected().map(({ rtcId, pc }) => ({
        rtcId,
        publishes: publishers.has(rtcId),
        traffic: async () => trafficOf(await pc.getStats()),
      })),
    (t, rtcId) => {
      post({ t, rtcId });
      if (t === "silent") void lookWhetherMoved(rtcId);
    },
  );
  async function lookWhetherMoved(rtcId: string): Promise<void> {
    const pc = drivers.connected().find((one) => one.rtcId === rtcId)?.pc;
    if (pc !== undefined && (await deps.hasMoved(pc)) && !closed) post({ t: "moved", rtcId });
  }

  const fail = (rtcId: string, error: AppError): void => {
    subscriptionQueue.done(rtcId);
    post({ t: "failed", rtcId, error: error.toWire() });
  };
  const drivers = createDrivers(
    deps,
    { config: options.config, tally, code: "conference.connection-failed" },
    {
      description: (rtcId, type, sdp, restart) =>
        post({ t: "description", rtcId, type, sdp, restart }),
      candidates: (rtcId, cands) => post({ t: "candidates", rtcId, cands }),
      state(rtcId, state) {
        post({ t: "ice", rtcId, state });
        if (SETTLED.has(state)) subscriptionQueue.done(rtcId);
      },
      fell: (rtcId) => post({ t: "fell", rtcId }),
      candidateRefused: (rtcId) => post({ t: "candidate-refused", rtcId }),
      failed: fail,
    },
  );

  const tellSize = (rtcId: string, publisher: Publisher): void => {
    const size = publisher.resolution();
    const key = size === null ? "" : `${size.w}x${size.h}`;
    if (size === null || sizes.get(rtcId) === key) return;
    sizes.set(rtcId, key);
    post({ t: "resolution", rtcId, ...size });
  };
  function publish(command: PublishCommand): void {
    const { rtcId } = command;
    if (command.restart) silence.restarting(rtcId);
    const known = publishers.get(rtcId);
    if (known !== undefined) return known.offer(command.restart);
    const own = command.type === STREAM_TYPE.screen ? screen.tracks() : tracks;
    if (command.type === STREAM_TYPE.screen && own.video === null) {
      return fail(rtcId, new AppError("media.open-failed", { details: { device: "screen" } }));
    }
    const driver = drivers.open(rtcId);
    if (driver === null) return;
    const publisher = createPublisher(deps, tally, driver, command, own);
    if (command.type === STREAM_TYPE.mixer) playMix(tally, driver, streams);
    meter.start();
    silence.start();
    publishers.set(rtcId, publisher);
    publisher.offer(false);
    tellSize(rtcId, publisher);
  }

  /**
   * Shows and plays a stream. Per kind it uses the newest connection whose media flows, or the oldest one with a track while no
   * media flows yet.
   */
  function show(streamId: string): void {
    const newestFirst = [...receivers.values()].filter((one) => one.streamId === streamId);
    newestFirst.reverse();
    const pick = (kind: Kind): MediaStreamTrack | null => {
      const having = newestFirst.filter((one) => one.tracks[kind] !== null);
      const chosen = having.find((one) => one.has(kind)) ?? having.at(-1);
      return chosen?.tracks[kind] ?? null;
    };
    streams.showVideo(streamId, pick("video"));
    streams.playAudio(streamId, pick("audio"));
  }
  const requestLayers = (): void => {
    if (!closed) requestedLayers.look([...receivers.values()].map(({ streamId }) => streamId));
  };
  function subscribe(command: SubscribeCommand): void {
    const { rtcId, streamId } = command;
    if (command.restart) silence.restarting(rtcId);
    let receiver = receivers.get(rtcId);
    if (receiver === undefined) {
      const driver = drivers.open(rtcId);
      if (driver === null) return;
      receiver = createReceiver(deps, tally, driver, streamId, {
        changed: () => show(streamId),
        first: (kind, at) => post({ t: "first-media", rtcId, kind, at }),
      });
      receivers.set(rtcId, receiver);
      meter.start();
      silence.start();
    }
    receiver.offer(command);
    requestLayers();
  }

  function closeConnection(rtcId: string): void {
    subscriptionQueue.done(rtcId);
    silence.forget(rtcId);
    publishers.delete(rtcId);
    sizes.delete(rtcId);
    const receiver = receivers.get(rtcId);
    receivers.delete(rtcId);
    // Before the tracks end, so that another connection's picture or none is shown instead of a frozen one.
    if (receiver !== undefined) show(receiver.streamId);
    drivers.close(rtcId);
    if (receiver !== undefined) requestLayers();
  }

  async function levels(): Promise<ReadonlyMap<string, number>> {
    for (const [rtcId, publisher] of publishers) tellSize(rtcId, publisher);
    const metered = new Map<string, Metered>();
    // Of two connections of a stream, the newest one plays.
    for (const receiver of receivers.values()) {
      const { streamId, tracks: received } = receiver;
      if (received.audio !== null || !metered.has(streamId))
        metered.set(streamId, receiver.metered());
    }
    const publisher = [...publishers.values()].find(({ type }) => type !== STREAM_TYPE.screen);
    const sends = publisher !== undefined && tracks.audio?.enabled === true;
    const ownStatistics = async () => (sends ? publisher.level() : null);
    metered.set(SELF, {
      track: sends ? tracks.audio : null,
      level: ownStatistics,
      statistics: ownStatistics,
    });
    const readings = await meters.read(metered, sound.watched);
    if (closed) return new Map();
    ownLevel = readings.get(SELF)?.instant ?? 0;
    sound.emit(readings);
    return new Map([...readings].map(([id, { instant }]) => [id, instant]));
  }

  const showScreen = (): void => {
    post({ t: "screen", on: screen.on, audio: screen.tracks().audio !== null });
    streams.showVideo(SCREEN, screen.tracks().video);
  };
  const stopScreen = screen.onChange(() => {
    showScreen();
    for (const publisher of publishers.values()) {
      if (publisher.type === STREAM_TYPE.screen) publisher.setTracks(screen.tracks());
    }
  });
  if (screen.on) showScreen();

  const recorder = createRecorder(
    deps,
    tally,
    {
      draw: (id, element, small) => streams.bind(id, element, small ? "low" : "high"),
      soundOf: (id) =>
        id === SELF ? tracks.audio : id === SCREEN ? screen.tracks().audio : streams.soundOf(id),
    },
    post,
  );

  return {
    command(command) {
      if (closed) return;
      switch (command.t) {
        case "publish":
          return publish(command);
        case "answer":
          publishers.get(command.rtcId)?.answer(command.sdp);
          receivers.get(command.rtcId)?.answer(command.sdp);
          return;
        case "offer":
          return receivers.get(command.rtcId)?.counter(command.sdp);
        case "subscribe":
          return subscriptionQueue.run(command.rtcId, () => subscribe(command));
        case "candidates":
          return drivers.addCandidates(command.rtcId, command.cands);
        case "close":
          return closeConnection(command.rtcId);
        case "stop-screen":
          return screen.stop();
        case "camera":
          return; // camera-control.ts stands before the engine.
        case "record":
          return recorder.record(command);
        case "record-stop":
          return void recorder.stop();
      }
    },
    setTracks(next) {
      tracks = next;
      streams.showVideo(SELF, next.video);
      for (const publisher of publishers.values()) {
        if (publisher.type !== STREAM_TYPE.screen) publisher.setTracks(next);
      }
    },
    configure: drivers.configure,
    sample: drivers.sample,
    rtcIds: drivers.rtcIds,
    requestLayers,
    async transmission(streamId) {
      const found = drivers.connected().findLast(({ rtcId }) => {
        const type = publishers.get(rtcId)?.type;
        if (type === undefined) return receivers.get(rtcId)?.streamId === streamId;
        return (type === STREAM_TYPE.screen ? SCREEN : SELF) === streamId;
      });
      return found === undefined ? [] : transmissionOf(await found.pc.getStats());
    },
    get ownLevel() {
      return ownLevel;
    },
    replay() {
      drivers.replay();
      for (const receiver of receivers.values()) receiver.replay();
      requestedLayers.replay();
      meter.replay();
      if (screen.on) showScreen();
    },
    close() {
      if (closed) return;
      void recorder.stop();
      for (const rtcId of drivers.rtcIds()) closeConnection(rtcId);
      closed = true;
      subscriptionQueue.close();
      requestedLayers.close();
      meter.close();
      silence.close();
      meters.close();
      stopScreen();
      screen.stop();
      streams.clear();
    },
  };
}
