/**
 * The conference engine of a group call whose media go by the Agora cloud (docs/calls.md#agora-engine). The core and the server treat it as
 * any conference: each stream has an rtcId and a description, which here names the sender's account at the cloud and no address
 * (shared/domain/cloud-description.ts). One channel carries everything.
 */
import { cloudUidOf, writeCloudDescription } from "../../shared/domain/cloud-description.ts";
import { STREAM_TYPE } from "../../shared/domain/conference-types.ts";
import { AppError } from "../../shared/errors.ts";
import type { ConferenceMediaEvent } from "../../shared/protocol/confr-media.ts";
import type { Layer } from "../../shared/protocol/confr-model.ts";
import type { AgoraAccess } from "../../shared/protocol/media-port.ts";
import type { MediaDeps } from "../deps.ts";
import type { MediaTimer } from "../clock.ts";
import { type AgoraChannel, createAgoraChannel } from "../engines/agora-channel.ts";
import type { IceState, Kind } from "../engine.ts";
import { createRecorder } from "../recording/recorder.ts";
import { createStreamMeters, type Metered } from "../sound/stream-meters.ts";
import { agoraReceivedSamples, agoraSentSamples } from "../stats/agora.ts";
import { createCloudPeople, KINDS, NO_TRACKS } from "./cloud-people.ts";
import type { ConferenceEngine, ConferenceEngineOptions } from "./engine.ts";
import { createMeter } from "../sound/meter.ts";
import type { PublishCommand } from "./publisher.ts";
import type { SubscribeCommand } from "./receiver.ts";
import { createRequestedLayers } from "./requested-layers.ts";
import { SELF } from "./streams.ts";

export interface CloudEngine extends ConferenceEngine {
  /** Continues with this token of the cloud. */
  renew(token: string): void;
}

/** ms after a failure to join, before another token is asked for and it is tried again. */
export const JOIN_AGAIN_MS = 5000;

interface Receiver {
  readonly streamId: string;
  /** The sender's number; null before the answer. */
  uid: number | null;
  wanted: Readonly<Record<Kind, boolean>>;
}

export function createCloudEngine(
  deps: MediaDeps,
  options: Omit<ConferenceEngineOptions, "config"> & {
    readonly access: AgoraAccess;
    /** The token ends soon, or has ended. */
    readonly expiring: () => void;
  },
  post: (event: ConferenceMediaEvent) => void,
): CloudEngine {
  const { access, tally, streams, screen, sound } = options;
  const { clock } = deps;
  const receivers = new Map<string, Receiver>();
  const layers = new Map<string, Layer>();
  /** The own camera stream; `accepted` once the server has answered. */
  let own: { readonly rtcId: string; accepted: boolean } | null = null;
  let tracks = NO_TRACKS;
  let state: IceState = "new";
  let sentSize = "";
  let ownLevel = 0;
  let closed = false;
  let joinAgain: MediaTimer | null = null;

  const receiversOf = (uid: number) => [...receivers].filter(([, one]) => one.uid === uid);
  const accepted = (rtcId: string): boolean =>
    own?.rtcId === rtcId ? own.accepted : (receivers.get(rtcId)?.uid ?? null) !== null;

  const rtcIds = (): string[] => [...(own === null ? [] : [own.rtcId]), ...receivers.keys()];
  const fail = (rtcId: string): void =>
    post({ t: "failed", rtcId, error: new AppError("conference.connection-failed").toWire() });
  function tellState(rtcId: string): void {
    if (!closed && accepted(rtcId)) post({ t: "ice", rtcId, state });
  }
  function show(uid: number): void {
    const shown = people.tracks(uid);
    for (const [, { streamId }] of receiversOf(uid)) {
      streams.showVideo(streamId, shown.video);
      streams.playAudio(streamId, shown.audio);
    }
  }

  const layerOf = (uid: number): Layer => {
    const wished = receiversOf(uid).map(([, { streamId }]) => layers.get(streamId) ?? "high");
    return wished.includes("high") ? "high" : wished.includes("low") ? "low" : "none";
  };
  const people = createCloudPeople(
    deps,
    () => channel,
    { kind: (uid, kind) => receiversOf(uid).some(([, one]) => one.wanted[kind]), layer: layerOf },
    { tracks: show, first: (uid, kind) => tellFirst(uid, kind) },
  );
  function tellFirst(uid: number, kind: Kind, only?: string): void {
    const at = people.firstAt(uid, kind);
    if (at === undefined) return;
    for (const [rtcId] of receiversOf(uid)) {
      if (only === undefined || only === rtcId) post({ t: "first-media", rtcId, kind, at });
    }
  }

  const requestedLayers = createRequestedLayers(clock, streams.wish, (streamId, layer) => {
    layers.set(streamId, layer);
    post({ t: "wish", streamId, layer });
    for (const { uid, streamId: id } of receivers.values()) {
      if (id === streamId && uid !== null) people.follow(uid);
    }
  });
  const requestLayers = (): void => {
    if (!closed) requestedLayers.look([...receivers.values()].map(({ streamId }) => streamId));
  };

  const meters = createStreamMeters(deps.listen);
  const meter = createMeter(
    clock,
    () => levels(),
    (streamIds) => post({ t: "talking", streamIds }),
    deps.meter,
  );
  async function levels(): Promise<ReadonlyMap<string, number>> {
    tellSize();
    const metered = new Map<string, Metered>();
    const statistics = () => Promise.resolve(null);
    for (const { streamId, uid } of receivers.values()) {
      const track = uid === null ? null : people.tracks(uid).audio;
      metered.set(streamId, { track, level: statistics, statistics });
    }
    const sends = own?.accepted === true && tracks.audio?.enabled === true;
    metered.set(SELF, { track: sends ? tracks.audio : null, level: statistics, statistics });
    const readings = await meters.read(metered, sound.watched);
    if (closed) return new Map();
    ownLevel = readings.get(SELF)?.instant ?? 0;
    sound.emit(readings);
    return new Map([...readings].map(([id, { instant }]) => [id, instant]));
  }
  function tellSize(): void {
    const { width, height } = tracks.video?.getSettings() ?? {};
    if (own === null || width === undefined || height === undefined) return;
    const size = `${own.rtcId} ${width}x${height}`;
    if (size === sentSize) return;
    sentSize = size;
    post({ t: "resolution", rtcId: own.rtcId, w: width, h: height });
  }

  const recorder = createRecorder(
    deps,
    tally,
    {
      draw: (id, element, small) => streams.bind(id, element, small ? "low" : "high"),
      soundOf: (id) => (id === SELF ? tracks.audio : streams.soundOf(id)),
    },
    post,
  );

  const describe = (rtcId: string, sends: boolean, restart: boolean): void => {
    const sdp = writeCloudDescription({ uid: access.uid, sends });
    post({ t: "description", rtcId, type: "offer", sdp, restart });
  };
  function publish({ rtcId, type, restart }: PublishCommand): void {
    if (type === STREAM_TYPE.screen) {
      // The cloud takes one picture of an account, and the server refuses a second stream before this.
      const error = new AppError("media.open-failed", { details: { device: "screen" } });
      return post({ t: "failed", rtcId, error: error.toWire() });
    }
    if (own?.rtcId !== rtcId) own = { rtcId, accepted: false };
    describe(rtcId, true, restart);
    tellSize();
    meter.start();
  }
  function subscribe({ rtcId, streamId, audio, video, restart }: SubscribeCommand): void {
    const known = receivers.get(rtcId);
    if (known === undefined)
      receivers.set(rtcId, { streamId, uid: null, wanted: { audio, video } });
    else known.wanted = { audio, video };
    describe(rtcId, false, restart);
    requestLayers();
    meter.start();
  }
  function answered(rtcId: string, sdp: string): void {
    const receiver = receivers.get(rtcId);
    if (own?.rtcId === rtcId) {
      own.accepted = true;
      channel.setTracks(tracks);
    } else if (receiver !== undefined) {
      receiver.uid = cloudUidOf(sdp);
      const { uid } = receiver;
      if (uid === null) return fail(rtcId);
      show(uid);
      for (const kind of KINDS) tellFirst(uid, kind, rtcId);
      people.follow(uid);
    }
    tellState(rtcId);
  }
  function closeConnection(rtcId: string): void {
    if (own?.rtcId === rtcId) {
      own = null;
      channel.setTracks(NO_TRACKS);
      return;
    }
    const receiver = receivers.get(rtcId);
    receivers.delete(rtcId);
    if (receiver === undefined) return;
    // Another connection may receive the same stream already.
    if (![...receivers.values()].some(({ streamId }) => streamId === receiver.streamId)) {
      streams.showVideo(receiver.streamId, null);
      streams.playAudio(receiver.streamId, null);
    }
    if (receiver.uid !== null) people.follow(receiver.uid);
    requestLayers();
  }

  const join = (token: string): AgoraChannel =>
    createAgoraChannel(
      deps,
      {
        access: { ...access, token },
        tracks: own?.accepted === true ? tracks : NO_TRACKS,
        tally,
        dual: true,
      },
      {
        state(next) {
          // The SDK joins again by itself, or with the next token.
          state = next === "closed" ? "disconnected" : next;
          for (const rtcId of rtcIds()) tellState(rtcId);
        },
        sends: (uid, kind) => people.sends(uid, kind),
        ends: (uid, kind) => people.ends(uid, kind),
        expiring: options.expiring,
        failed(step) {
          if (step === "publish" && own !== null) fail(own.rtcId);
          else joinAgain = clock.after(JOIN_AGAIN_MS, options.expiring);
        },
      },
    );
  let channel = join(access.token);

  return {
    command(command) {
      if (closed) return;
      switch (command.t) {
        case "publish":
          return publish(command);
        case "subscribe":
          return subscribe(command);
        case "answer":
          return answered(command.rtcId, command.sdp);
        case "close":
          return closeConnection(command.rtcId);
        case "stop-screen":
          return screen.stop();
        case "record":
          return recorder.record(command);
        case "record-stop":
          return void recorder.stop();
      }
    },
    setTracks(next) {
      tracks = next;
      streams.showVideo(SELF, next.video);
      if (own?.accepted === true) channel.setTracks(next);
    },
    renew(token) {
      if (state !== "failed") return channel.renew(token);
      channel.close().catch(() => undefined);
      channel = join(token);
    },
    // The cloud finds its own way through a network.
    configure: () => undefined,
    sample() {
      const { stats } = channel;
      if (stats === null) return Promise.resolve([]);
      const now = clock.now();
      return Promise.resolve([
        ...(own?.accepted === true ? agoraSentSamples(own.rtcId, stats, now) : []),
        ...[...receivers].flatMap(([rtcId, { uid }]) =>
          uid === null ? [] : agoraReceivedSamples(rtcId, uid, stats, now),
        ),
      ]);
    },
    rtcIds,
    requestLayers,
    transmission: () => Promise.resolve([]),
    get ownLevel() {
      return ownLevel;
    },
    replay() {
      for (const rtcId of rtcIds()) tellState(rtcId);
      for (const [rtcId, { uid }] of receivers) {
        if (uid !== null) for (const kind of KINDS) tellFirst(uid, kind, rtcId);
      }
      requestedLayers.replay();
      meter.replay();
      channel.replay();
    },
    close() {
      if (closed) return;
      void recorder.stop();
      closed = true;
      joinAgain?.cancel();
      people.close();
      channel.close().catch((error: unknown) => deps.report(`close failed: ${String(error)}`));
      requestedLayers.close();
      meter.close();
      meters.close();
      screen.stop();
      streams.clear();
    },
  };
}
