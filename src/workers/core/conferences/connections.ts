/**
 * The connections of a conference: one per published or subscribed stream, each driven by the connection table. The owner tab creates
 * them and the session carries their descriptions. This file decides when.
 */
import {
  conferenceConnectionTable,
  type ConferenceConnectionEffect,
  type ConferenceConnectionEvent,
  conferenceConnectionGuards,
} from "../../../shared/domain/conference-connection.ts";
import type { ConferenceConnectionState } from "../../../shared/domain/conference-states.ts";
import { step } from "../../../shared/domain/machine.ts";
import type { ConfrEvent } from "../../../shared/protocol/confr-media.ts";
import {
  CONFR_END,
  CONFR_OP,
  CONFR_RESULT,
  type ConfrStream,
  type Layer,
  type VideoCodec,
} from "../../../shared/protocol/confr-signalling.ts";
import type { Candidate } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import {
  type Connection,
  createNegotiation,
  type NegotiationDeps,
  type OwnType,
  type PublishWish,
  type SubscribeWish,
  type Wish,
} from "./negotiation.ts";
import { type Answer, LOST } from "./pending.ts";

export interface Connections {
  /** Publishes a stream, or publishes it again. Resolves when the server has accepted it; rejects with Refused. */
  publish(wish: PublishWish): Promise<ConfrStream>;
  /** Subscribes, or changes what is subscribed. A stream that was republished gets a new connection. */
  subscribe(wish: SubscribeWish): void;
  /** Takes over a connection that the tab has kept since an earlier core. */
  adopt(wish: Wish, rtcId: string): void;
  stop(key: string): void;
  stopAll(): void;
  /** Cancels the timers and sends nothing. */
  dispose(): void;
  /** Another tab owns the media, or the server has forgotten the connections: all are built again. */
  moved(): void;
  /** The session was resumed, and the server knows the connections: those that failed or got no answer are tried again. */
  resumed(): void;
  wish(streamId: string, layer: Layer): void;
  event(event: ConfrEvent): void;
  /** Handles op 107 from the server. */
  terminated(rtcId: string, endReason: number, vcodes: readonly VideoCodec[] | undefined): void;
  candidates(rtcId: string, cands: readonly Candidate[]): void;
  rtcIdOf(key: string): string | null;
  stateOf(key: string): ConferenceConnectionState;
  /** What is subscribed of a stream; null: nothing. */
  wishOf(streamId: string): SubscribeWish | null;
  /** The rtcId of each established connection, by key. The next core needs them. */
  readonly rtcIds: Readonly<Record<string, string>>;
}

export interface Refused {
  readonly answer: Answer;
  readonly endReason: number | null;
}

export const pubKey = (type: OwnType): string => `pub:${type}`;
const keyOf = (wish: Wish): string => (wish.kind === "pub" ? pubKey(wish.type) : wish.stream.id);
/** Assumed when the browser's codecs are unknown. */
export const CODECS: readonly VideoCodec[] = ["VP8", "H264"];

export type ConnectionsDeps = Pick<
  NegotiationDeps,
  "ask" | "say" | "command" | "own" | "reachable"
> & {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "report">;
  readonly config: ConferenceConfig;
  /** The codecs that this browser can send, best first. */
  readonly codecs: () => readonly VideoCodec[];
  readonly onPublished: (type: OwnType, stream: ConfrStream) => void;
  readonly onState: (key: string, state: ConferenceConnectionState) => void;
  /** Reports push-success or sub-success (docs/conferences.md#connections), once per connection. */
  readonly onUp: (wish: Wish, rtcId: string) => void;
  /** The server refused, and another attempt would not change that, as with a limit of the conference. */
  readonly onRefused: (wish: Wish, refused: Refused) => void;
  /** Reports push-fail or sub-fail (docs/conferences.md#connections). */
  readonly onFailed: (wish: Wish) => void;
};

export function createConnections(deps: ConnectionsDeps): Connections {
  const { env, config } = deps;
  const all = new Map<string, Connection>();
  const byRtc = new Map<string, Connection>();
  const publishing = new Map<string, { resolve(s: ConfrStream): void; reject(r: Refused): void }>();
  let rebuilding: Timer | null = null;

  const negotiation = createNegotiation({
    ...deps,
    isKnown: (one) => all.get(one.key) === one,
    dispatch,
    onPublished(one, type, stream) {
      deps.onPublished(type, stream);
      publishing.get(one.key)?.resolve(stream);
      publishing.delete(one.key);
    },
    onRefused: refused,
  });

  function dispatch(one: Connection, type: ConferenceConnectionEvent["type"]): void {
    const context = {
      rebuilds: one.rebuilds,
      maxRebuilds: config.iceRebuildCount,
      reachable: deps.reachable(),
    };
    const found = step(conferenceConnectionTable, conferenceConnectionGuards, one.state, context, {
      type,
    });
    if (found.rule < 0) return;
    const before = one.state;
    one.state = found.to;
    for (const effect of found.effects) run(one, effect);
    if (one.state !== before) deps.onState(one.key, one.state);
  }
  const clear = (one: Connection): void => {
    one.timer?.cancel();
    one.timer = null;
  };
  const arm = (one: Connection, ms: number): void => {
    clear(one);
    one.timer = env.clock.after(ms, () => {
      one.timer = null;
      dispatch(one, "tick");
    });
  };
  const name = (one: Connection, rtcId: string | null): void => {
    if (one.rtcId !== null) byRtc.delete(one.rtcId);
    one.rtcId = rtcId;
    if (rtcId !== null) byRtc.set(rtcId, one);
  };
  const close = (one: Connection): void => {
    one.turn += 1;
    const { rtcId, wish } = one;
    if (rtcId === null) return;
    name(one, null);
    deps.command({ t: "close", rtcId });
    // A rebuilt publisher keeps its stream: the server drops the old connection when the new one arrives.
    if (wish.kind === "sub") deps.say({ op: CONFR_OP.unsubscribe, rtcId, subSId: wish.stream.id });
  };

  const TIMERS: Partial<Record<ConferenceConnectionEffect, number>> = {
    buildTimer: config.iceWaitBuildMillis,
    weakTimer: config.networkWeakMillis,
    restartTimer: config.iceRestartDelayMillis,
    restartWaitTimer: config.iceRestartTimeoutMillis,
    rebuildTimer: config.iceRebuildIntervalMillis,
    codecTimer: config.codecSwitchMillis,
    retryTimer: config.retryFailedMillis,
  };
  function run(one: Connection, effect: ConferenceConnectionEffect): void {
    const ms = TIMERS[effect];
    if (ms !== undefined) return arm(one, ms);
    switch (effect) {
      case "open": {
        const rtcId = env.newId().replaceAll("-", "").slice(0, 32);
        name(one, rtcId);
        return negotiation.begin(one, rtcId, false);
      }
      case "close":
        return close(one);
      case "askRestart":
        if (one.rtcId === null) return;
        if (!one.restarts) return dispatch(one, "refused");
        return negotiation.begin(one, one.rtcId, true);
      case "countRebuild":
        one.rebuilds += 1;
        return;
      case "forgetRebuilds":
        one.rebuilds = 0;
        return;
      case "clearTimer":
        return clear(one);
      case "tellUp":
        one.rebuilds = 0;
        if (one.rtcId !== null) deps.onUp(one.wish, one.rtcId);
        return;
      case "tellFailed":
        return deps.onFailed(one.wish);
      default:
        return; // tellWeak: onState reports it.
    }
  }

  function refused(one: Connection, answer: Answer, endReason: number | null): void {
    const { wish, key } = one;
    publishing.get(key)?.reject({ answer, endReason });
    publishing.delete(key);
    drop(one);
    deps.onRefused(wish, { answer, endReason });
  }
  function drop(one: Connection): void {
    dispatch(one, "stop");
    all.delete(one.key);
  }
  function make(wish: Wish): Connection {
    const one: Connection = {
      key: keyOf(wish),
      wish,
      state: "none",
      rtcId: null,
      rebuilds: 0,
      timer: null,
      layer: "high",
      vcodes: deps.codecs(),
      turn: 0,
      restarts: true,
    };
    all.set(one.key, one);
    return one;
  }
  /** Builds a connection again, whatever its state. */
  const again = (one: Connection): void => dispatch(one, one.state === "failed" ? "want" : "moved");
  const forgetAsked = (key: string): void => {
    publishing.get(key)?.reject({ answer: LOST, endReason: null });
    publishing.delete(key);
  };

  return {
    publish(wish) {
      const key = keyOf(wish);
      const known = all.get(key);
      forgetAsked(key);
      const asked = new Promise<ConfrStream>((resolve, reject) => {
        publishing.set(key, { resolve, reject });
      });
      if (known === undefined) dispatch(make(wish), "want");
      else {
        known.wish = wish;
        again(known);
      }
      return asked;
    },
    subscribe(wish) {
      const known = all.get(keyOf(wish));
      if (known === undefined) return dispatch(make(wish), "want");
      if (known.wish.kind !== "sub") return;
      const before = known.wish;
      known.wish = wish;
      // The stream was republished: a connection to the old version receives nothing.
      if (before.stream.sver !== wish.stream.sver) return again(known);
      const changed = before.video !== wish.video || before.audio !== wish.audio;
      if (changed && known.rtcId !== null) negotiation.select(known);
    },
    adopt(wish, rtcId) {
      const one = make(wish);
      name(one, rtcId);
      dispatch(one, "adopt");
    },
    stop(key) {
      const one = all.get(key);
      if (one === undefined) return;
      const { rtcId, wish } = one;
      if (wish.kind === "pub" && rtcId !== null) {
        deps.say({ op: CONFR_OP.terminate, rtcId, reason: 0 });
      }
      forgetAsked(key);
      drop(one);
    },
    stopAll() {
      rebuilding?.cancel();
      rebuilding = null;
      for (const one of all.values()) drop(one);
      for (const key of publishing.keys()) forgetAsked(key);
    },
    dispose() {
      rebuilding?.cancel();
      rebuilding = null;
      for (const one of all.values()) clear(one);
    },
    moved() {
      for (const one of all.values()) dispatch(one, "moved");
    },
    resumed() {
      rebuilding?.cancel();
      rebuilding = env.clock.after(config.rebuildAfterEnterMillis, () => {
        rebuilding = null;
        for (const one of all.values()) {
          // Requests that were open when the session was lost were never answered.
          if (["failed", "connecting", "rebuilding"].includes(one.state)) again(one);
          else if (one.state === "weak") dispatch(one, "tick");
        }
      });
    },
    wish(streamId, layer) {
      const one = all.get(streamId);
      if (one === undefined || one.layer === layer) return;
      one.layer = layer;
      negotiation.select(one);
    },
    event(event) {
      if (!("rtcId" in event)) return;
      const { rtcId } = event;
      const one = byRtc.get(rtcId);
      if (one === undefined) return;
      if (event.t === "description") {
        const { type, sdp, restart } = event;
        if (type === "offer") void negotiation.offered(one, rtcId, sdp, restart);
        else void negotiation.answered(one, rtcId, sdp);
      } else if (event.t === "candidates") {
        deps.say({ op: CONFR_OP.candidates, rtcId, cands: event.cands });
      } else if (event.t === "ice") {
        const { state } = event;
        if (state === "connected" || state === "completed") dispatch(one, "up");
        else if (state === "disconnected") dispatch(one, "down");
        else if (state === "failed" || state === "closed") dispatch(one, "lost");
      } else if (event.t === "failed") {
        env.report(`conference: ${one.key}: ${event.error.message}`);
        dispatch(one, "lost");
      }
    },
    terminated(rtcId, endReason, vcodes) {
      const one = byRtc.get(rtcId);
      if (one === undefined) return;
      if (endReason === CONFR_END.switchCodec) {
        const [first, ...rest] = vcodes ?? [];
        if (first === undefined || one.wish.kind !== "pub") return;
        // The server may have chosen another codec than this browser's first one.
        const current = deps.own(one.wish.type).vcodec ?? one.vcodes[0];
        if (current === first) return;
        // Keep the other codecs: the next member may support only those.
        one.vcodes = [...new Set([first, ...rest, ...one.vcodes])];
        dispatch(one, "codec");
      } else if (endReason === CONFR_END.nodeGone) dispatch(one, "gone");
      else {
        const result = CONFR_RESULT.full;
        refused(one, { result, msg: "", signal: null }, endReason);
      }
    },
    candidates(rtcId, cands) {
      if (byRtc.has(rtcId)) deps.command({ t: "candidates", rtcId, cands: [...cands] });
    },
    rtcIdOf: (key) => all.get(key)?.rtcId ?? null,
    stateOf: (key) => all.get(key)?.state ?? "none",
    wishOf(streamId) {
      const wish = all.get(streamId)?.wish;
      return wish?.kind === "sub" ? wish : null;
    },
    get rtcIds() {
      const entries = [...all.values()].flatMap(({ key, rtcId, state }) =>
        rtcId === null || (state !== "connected" && state !== "weak") ? [] : [[key, rtcId]],
      );
      return Object.fromEntries(entries) as Record<string, string>;
    },
  };
}
