/**
 * The connections of a conference: one per published or subscribed stream. The owner tab creates them and the session carries their
 * descriptions. This file has the commands; connection-steps.ts moves each connection through the connection table.
 */
import type { IceState } from "../../../shared/domain/ice-states.ts";
import type { ConferenceConnectionState } from "../../../shared/domain/conference-states.ts";
import type { ConferenceMediaEvent } from "../../../shared/protocol/confr-media.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import {
  type ConferenceStream,
  type Layer,
  type VideoCodec,
} from "../../../shared/protocol/confr-model.ts";
import {
  CONFR_END,
  type MediaDescription,
  type ConferenceServerSignal,
  writeCandidates,
} from "../../../shared/protocol/confr-signalling.ts";
import type { Candidate } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import {
  codecsAfterSwitch,
  type Connection,
  eventOf,
  isEstablished,
  isUnanswered,
  keyOf,
  newConnection,
  type OwnType,
  type PublishWish,
  type SubscribeWish,
  type Wish,
} from "./connection.ts";
import { type ConnectionSet, createSteps, type StepsDeps } from "./connection-steps.ts";
import { type Answer, LOST } from "./session.ts";
import { createSilences } from "../signalling/silences.ts";

export interface Connections {
  /** Publishes a stream, or publishes it again. Resolves when the server has accepted it; rejects with Refused. */
  publish(wish: PublishWish): Promise<ConferenceStream>;
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
  /** The server saw another address of this machine, at a resume that follows: all are built again then. */
  addressChanged(): void;
  /** The session was resumed, and the server knows the connections: those that failed or got no answer are tried again. */
  resumed(): void;
  wish(streamId: string, layer: Layer): void;
  event(event: ConferenceMediaEvent): void;
  /** Handles op 107 from the server. */
  terminated(signal: Terminated): void;
  /** The media node's description of a connection. */
  described(rtcId: string, description: MediaDescription): void;
  candidates(rtcId: string, cands: readonly Candidate[]): void;
  rtcIdOf(key: string): string | null;
  stateOf(key: string): ConferenceConnectionState;
  /** The rtcId of each established connection, by key. The next core needs them. */
  readonly rtcIds: Readonly<Record<string, string>>;
}

export type Terminated = Pick<
  Extract<ConferenceServerSignal, { op: typeof OP.terminate }>,
  "rtcId" | "endReason" | "useVCodes" | "lost"
>;

export interface Refused {
  readonly answer: Answer;
  readonly endReason: number | null;
}

export type ConnectionsDeps = Omit<StepsDeps, "env" | "onPublished" | "onRefused"> & {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  /** Replaces the socket unless it answers within `atLeast` ms, or three round trips. */
  readonly hurry: (atLeast: number) => void;
  readonly replaceSocket: () => void;
  /** The codecs that this browser can send, best first. For an own stream: in the order in which it wants them. */
  readonly codecs: (own: OwnType | null) => readonly VideoCodec[];
  /** @param cver the version of the conference that has the stream */
  readonly onPublished: (type: OwnType, stream: ConferenceStream, cver: number | undefined) => void;
  /** The browser says how the ICE of a connection changed. */
  readonly onIce: (rtcId: string, state: IceState) => void;
  /** A connection failed, or lacks a candidate. What is built again follows by itself. */
  readonly onTrouble: (key: string, code: "ICEConnectFail" | "AddIceCandError") => void;
  /** The server has removed an own stream at the core's request, in version `cver`. */
  readonly onUnpublished: (answer: Answer) => void;
  /** The server refused, and another attempt would not change that, as with a limit of the conference. */
  readonly onRefused: (wish: Wish, refused: Refused) => void;
};

export function createConnections(deps: ConnectionsDeps): Connections {
  const { env, config } = deps;
  const set: ConnectionSet = { byKey: new Map(), byRtcId: new Map() };
  const { byKey, byRtcId } = set;
  /** Callers of `publish` that wait for the server, by key. */
  const publishing = new Map<
    string,
    { resolve(s: ConferenceStream): void; reject(r: Refused): void }
  >();
  let rebuilding: Timer | null = null;
  const silences = createSilences(deps, {
    changed() {
      for (const one of byKey.values()) dispatch(one, "changed");
    },
    moved() {
      for (const one of byKey.values()) again(one);
    },
  });

  const { negotiation, dispatch, name, cancelTimer } = createSteps(
    {
      ...deps,
      onPublished({ key }, type, stream, cver) {
        deps.onPublished(type, stream, cver);
        publishing.get(key)?.resolve(stream);
        publishing.delete(key);
      },
      onRefused: refused,
    },
    set,
  );

  function refused(one: Connection, answer: Answer, endReason: number | null): void {
    const { wish, key } = one;
    publishing.get(key)?.reject({ answer, endReason });
    publishing.delete(key);
    drop(one);
    deps.onRefused(wish, { answer, endReason });
  }
  function drop(one: Connection): void {
    dispatch(one, "stop");
    byKey.delete(one.key);
  }
  function make(wish: Wish): Connection {
    const one = newConnection(wish, deps.codecs(wish.kind === "pub" ? wish.type : null));
    byKey.set(one.key, one);
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
      const known = byKey.get(key);
      forgetAsked(key);
      const asked = new Promise<ConferenceStream>((resolve, reject) => {
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
      const known = byKey.get(keyOf(wish));
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
      const one = byKey.get(key);
      if (one === undefined) return;
      const { rtcId, wish } = one;
      if (wish.kind === "pub" && rtcId !== null) {
        void deps.ask({ op: OP.terminate, rtcId, endReason: 0 }).then(deps.onUnpublished);
      }
      forgetAsked(key);
      drop(one);
    },
    stopAll() {
      rebuilding?.cancel();
      rebuilding = null;
      for (const one of byKey.values()) drop(one);
      for (const key of publishing.keys()) forgetAsked(key);
    },
    dispose() {
      rebuilding?.cancel();
      rebuilding = null;
      for (const one of byKey.values()) cancelTimer(one);
    },
    moved() {
      for (const one of byKey.values()) dispatch(one, "moved");
    },
    addressChanged: silences.addressChanged,
    resumed() {
      rebuilding?.cancel();
      const restarting = [...byKey.values()].filter(({ state }) => state === "restarting");
      if (silences.resumed()) return;
      for (const one of byKey.values()) if (one.state === "weak") dispatch(one, "resumed");
      rebuilding = env.clock.after(config.rebuildAfterEnterMillis, () => {
        rebuilding = null;
        for (const one of byKey.values()) {
          if (isUnanswered(one)) again(one);
          else if (restarting.includes(one)) dispatch(one, "resumed");
        }
      });
    },
    wish(streamId, layer) {
      const one = byKey.get(streamId);
      if (one === undefined || one.layer === layer) return;
      one.layer = layer;
      negotiation.select(one);
    },
    event(event) {
      if (!("rtcId" in event)) return;
      const { rtcId } = event;
      const one = byRtcId.get(rtcId);
      if (one === undefined) return;
      if (event.t === "description") {
        const { type, sdp, restart } = event;
        dispatch(one, "progress");
        if (type === "offer") void negotiation.offered(one, rtcId, sdp, restart);
        else void negotiation.answered(one, rtcId, sdp);
      } else if (event.t === "candidates") {
        deps.sendWithoutAnswer({ op: OP.candidates, rtcId, cands: writeCandidates(event.cands) });
      } else if (event.t === "ice") {
        deps.onIce(rtcId, event.state);
        const type = eventOf(event.state);
        if (type === "lost") deps.onTrouble(one.key, "ICEConnectFail");
        if (type !== null) dispatch(one, type);
      } else if (event.t === "silent") {
        silences.silent();
        // What a subscription receives may just have been muted.
        if (one.wish.kind === "pub") dispatch(one, "silent");
      } else if (event.t === "fell") {
        dispatch(one, "changed");
      } else if (event.t === "moved") {
        silences.moved();
      } else if (event.t === "heard") {
        silences.heard();
        dispatch(one, "up");
      } else if (event.t === "candidate-refused") {
        deps.onTrouble(one.key, "AddIceCandError");
      } else if (event.t === "failed") {
        env.log("conferences", "warn", `${one.key}: ${event.error.message}`);
        deps.onTrouble(one.key, "ICEConnectFail");
        dispatch(one, "lost");
      }
    },
    terminated({ rtcId, endReason, useVCodes = [], lost }) {
      const one = byRtcId.get(rtcId);
      if (one === undefined) return;
      if (lost === true) dispatch(one, "gone");
      else if (endReason === CONFR_END.switchCodec) {
        if (one.wish.kind !== "pub") return;
        // The server may have chosen another codec than this browser's first one.
        const current = deps.own(one.wish.type).vcodec ?? one.vcodes[0];
        const next = codecsAfterSwitch(one.vcodes, useVCodes, current);
        if (next === null) return;
        one.vcodes = next;
        dispatch(one, "codec");
      } else {
        const result = RESULT.notAllowed;
        refused(one, { result, msg: "", signal: null }, endReason);
      }
    },
    described(rtcId, description) {
      const one = byRtcId.get(rtcId);
      if (one === undefined) return;
      dispatch(one, "progress");
      negotiation.described(rtcId, description);
    },
    candidates(rtcId, cands) {
      if (byRtcId.has(rtcId)) deps.command({ t: "candidates", rtcId, cands: [...cands] });
    },
    rtcIdOf: (key) => byKey.get(key)?.rtcId ?? null,
    stateOf: (key) => byKey.get(key)?.state ?? "none",
    get rtcIds() {
      const entries = [...byKey.values()].flatMap((one) =>
        one.rtcId !== null && isEstablished(one) ? [[one.key, one.rtcId]] : [],
      );
      return Object.fromEntries(entries) as Record<string, string>;
    },
  };
}
