/**
 * The conference engine of the tab that owns the media. It creates the connections that the core commands, one per stream, and
 * reports their states. The core decides which streams to use and what to retry.
 */
import { AppError } from "../../shared/errors.ts";
import type { ConfrCommand, ConfrEvent } from "../../shared/protocol/confr-media.ts";
import type { StreamSample } from "../../shared/protocol/qoe.ts";
import type { Candidate } from "../../shared/protocol/signalling.ts";
import type { MediaDeps } from "../deps.ts";
import type { IceState, Kind, LocalTracks } from "../engines/engine.ts";
import { createOwnListener } from "../media/listen.ts";
import { reduceStats } from "../stats/reduce.ts";
import type { Tally } from "../tally.ts";
import { createConferenceConnection, type ConferenceConnection } from "./connection.ts";
import { createMeter, receivedLevel, sentLevel } from "./meter.ts";
import { createPublisher, type Publisher, type PublishCommand } from "./publisher.ts";
import { createReceiver, type Receiver, type SubscribeCommand } from "./receiver.ts";
import type { Screen } from "./screen.ts";
import { SCREEN, SELF, type StreamElements } from "./streams.ts";
import { createTurns } from "./turns.ts";
import { createWishes } from "./wishes.ts";

/** Limits for candidates that arrive before the command to connect: EARLY per connection, for EARLY_IDS connections. */
const EARLY = 200;
const EARLY_IDS = 64;
const CLOSED_IDS = 256;
const SETTLED: ReadonlySet<IceState> = new Set(["connected", "completed", "failed", "closed"]);

export interface ConferenceEngine {
  command(command: ConfrCommand): void;
  setTracks(tracks: LocalTracks): void;
  /** Sets the ICE servers for new connections and for the next ICE restart of existing ones. */
  configure(config: RTCConfiguration): void;
  sample(): Promise<StreamSample[]>;
  rtcIds(): string[];
  /** Call when elements were added or removed, or changed their size. */
  wishes(): void;
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
}

export function createConferenceEngine(
  deps: MediaDeps,
  options: ConferenceEngineOptions,
  post: (event: ConfrEvent) => void,
): ConferenceEngine {
  const { tally, streams, screen } = options;
  const { clock } = deps;
  let { config } = options;
  let tracks: LocalTracks = { audio: null, video: null };
  const publishers = new Map<string, Publisher>();
  const receivers = new Map<string, Receiver>();
  const early = new Map<string, Candidate[]>();
  /** Recently closed connections. Their late candidates are dropped. */
  const gone = new Set<string>();
  const sizes = new Map<string, string>();
  let ownLevel = 0;
  const ownListener = createOwnListener(deps.listen);
  let closed = false;

  const turns = createTurns(clock, deps.serialSubscriptions);
  const wishes = createWishes(clock, streams.wish, (streamId, layer) =>
    post({ t: "wish", streamId, layer }),
  );
  const meter = createMeter(
    clock,
    () => levels(),
    (streamIds) => post({ t: "talking", streamIds }),
  );

  const linkOf = (rtcId: string): ConferenceConnection | undefined =>
    (publishers.get(rtcId) ?? receivers.get(rtcId))?.link;
  const fail = (rtcId: string, error: AppError): void => {
    turns.done(rtcId);
    post({ t: "failed", rtcId, error: error.toWire() });
  };
  const open = (rtcId: string): ConferenceConnection | null => {
    gone.delete(rtcId);
    try {
      const link = createConferenceConnection(deps, tally, config, {
        description: (type, sdp, restart) => post({ t: "description", rtcId, type, sdp, restart }),
        candidates: (cands) => post({ t: "candidates", rtcId, cands }),
        ice(state) {
          post({ t: "ice", rtcId, state });
          if (SETTLED.has(state)) turns.done(rtcId);
        },
        failed: (error) => fail(rtcId, error),
      });
      const waiting = early.get(rtcId);
      early.delete(rtcId);
      if (waiting !== undefined) link.candidates(waiting);
      meter.start();
      return link;
    } catch (cause) {
      deps.report(`${rtcId}: no connection: ${String(cause)}`);
      fail(rtcId, new AppError("conference.link-failed", { cause, details: { step: "open" } }));
      return null;
    }
  };

  const tellSize = (rtcId: string, publisher: Publisher): void => {
    const size = publisher.resolution();
    const key = size === null ? "" : `${size.w}x${size.h}`;
    if (size === null || sizes.get(rtcId) === key) return;
    sizes.set(rtcId, key);
    post({ t: "resolution", rtcId, ...size });
  };
  function publish(command: PublishCommand): void {
    const { rtcId } = command;
    const known = publishers.get(rtcId);
    if (known !== undefined) return known.offer(command.restart);
    const own = command.type === 1 ? screen.tracks() : tracks;
    if (command.type === 1 && own.video === null) {
      return fail(rtcId, new AppError("media.open-failed", { details: { device: "screen" } }));
    }
    const link = open(rtcId);
    if (link === null) return;
    const publisher = createPublisher(
      { tally, report: deps.report },
      deps.videoCodecs,
      link,
      command,
      own,
    );
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
  const lookAtWishes = (): void => {
    if (!closed) wishes.look([...receivers.values()].map(({ streamId }) => streamId));
  };
  function subscribe(command: SubscribeCommand): void {
    const { rtcId, streamId } = command;
    let receiver = receivers.get(rtcId);
    if (receiver === undefined) {
      const link = open(rtcId);
      if (link === null) return;
      receiver = createReceiver(deps, tally, link, streamId, {
        changed: () => show(streamId),
        first: (kind, at) => post({ t: "first-media", rtcId, kind, at }),
      });
      receivers.set(rtcId, receiver);
    }
    receiver.offer(command);
    lookAtWishes();
  }

  function closeConnection(rtcId: string): void {
    turns.done(rtcId);
    publishers.get(rtcId)?.link.close();
    publishers.delete(rtcId);
    sizes.delete(rtcId);
    const receiver = receivers.get(rtcId);
    receivers.delete(rtcId);
    if (receiver !== undefined) {
      // Before the tracks end, so that another connection's picture or none is shown instead of a frozen one.
      show(receiver.streamId);
      receiver.link.close();
      lookAtWishes();
    }
    early.delete(rtcId);
    gone.add(rtcId);
    const oldest = gone.values().next().value;
    if (gone.size > CLOSED_IDS && oldest !== undefined) gone.delete(oldest);
  }

  function candidates(rtcId: string, cands: readonly Candidate[]): void {
    const link = linkOf(rtcId);
    if (link !== undefined) return link.candidates(cands);
    if (gone.has(rtcId)) return;
    early.set(rtcId, [...(early.get(rtcId) ?? []), ...cands].slice(-EARLY));
    const oldest = early.keys().next().value;
    if (early.size > EARLY_IDS && oldest !== undefined) early.delete(oldest);
  }

  async function levels(): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const { streamId, link } of receivers.values()) {
      for (const receiver of link.pc.getReceivers()) {
        if (receiver.track.kind !== "audio") continue;
        const level = await receivedLevel(receiver);
        found.set(streamId, Math.max(level, found.get(streamId) ?? 0));
      }
    }
    const own = [...publishers.values()].find(({ type }) => type === 0)?.audio ?? null;
    const microphone = tracks.audio;
    ownLevel =
      own === null || microphone?.enabled !== true
        ? 0
        : ((await sentLevel(own)) ?? (closed ? 0 : ownListener.level(microphone)));
    found.set(SELF, ownLevel);
    for (const [rtcId, publisher] of publishers) tellSize(rtcId, publisher);
    return found;
  }

  const tellScreen = (): void =>
    post({ t: "screen", on: screen.on, audio: screen.tracks().audio !== null });
  const stopScreen = screen.onChange(() => {
    tellScreen();
    streams.showVideo(SCREEN, screen.tracks().video);
    for (const publisher of publishers.values()) {
      if (publisher.type === 1) publisher.setTracks(screen.tracks());
    }
  });
  if (screen.on) {
    streams.showVideo(SCREEN, screen.tracks().video);
    tellScreen();
  }

  return {
    command(command) {
      if (closed) return;
      switch (command.t) {
        case "publish":
          return publish(command);
        case "answer":
          return publishers.get(command.rtcId)?.answer(command.sdp);
        case "subscribe":
          return turns.take(command.rtcId, () => subscribe(command));
        case "candidates":
          return candidates(command.rtcId, command.cands);
        case "close":
          return closeConnection(command.rtcId);
        case "stop-screen":
          return screen.stop();
      }
    },
    setTracks(next) {
      tracks = next;
      streams.showVideo(SELF, next.video);
      for (const publisher of publishers.values()) {
        if (publisher.type === 0) publisher.setTracks(next);
      }
    },
    configure(next) {
      config = next;
      for (const { link } of [...publishers.values(), ...receivers.values()]) link.configure(next);
    },
    async sample() {
      const all = await Promise.allSettled(
        [...publishers, ...receivers].map(async ([rtcId, { link }]) =>
          reduceStats(rtcId, await link.pc.getStats(), clock.now()),
        ),
      );
      return all.flatMap((one) => {
        if (one.status === "fulfilled") return one.value;
        deps.report(`statistics failed: ${String(one.reason)}`);
        return [];
      });
    },
    rtcIds: () => [...publishers.keys(), ...receivers.keys()],
    wishes: lookAtWishes,
    get ownLevel() {
      return ownLevel;
    },
    replay() {
      for (const { link } of publishers.values()) link.replay();
      for (const receiver of receivers.values()) receiver.replay();
      wishes.replay();
      meter.replay();
      if (screen.on) tellScreen();
    },
    close() {
      if (closed) return;
      for (const rtcId of [...publishers.keys(), ...receivers.keys()]) closeConnection(rtcId);
      closed = true;
      turns.close();
      wishes.close();
      meter.close();
      ownListener.close();
      stopScreen();
      screen.stop();
      streams.clear();
    },
  };
}
