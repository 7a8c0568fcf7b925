/** Follows the streams of a conference: subscribes what this member wants of the others, and publishes what it sends. */
import {
  MIX_STREAM_ID,
  STREAM_TYPE,
  type StreamType,
} from "../../../shared/domain/conference-types.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { type ConferenceStream } from "../../../shared/protocol/confr-model.ts";
import type { Camera } from "./camera.ts";
import { type OwnType, ownTypeOf, pubKey, type Wish } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { ConferenceRecord } from "./kept.ts";
import type { Local } from "./local.ts";
import { type Choice, choiceOf } from "./mixing.ts";
import type { Model } from "./model.ts";
import type { OwnStreams } from "./own-streams.ts";
import type { ScreenShare } from "./screen.ts";
import type { ConferenceRequest } from "./session.ts";

/** The rtcIds of connections that the owner tab still has since an earlier core, by key. */
export type Standing = ReadonlyMap<string, string>;

export interface WantedStreams {
  /** A stream was published or republished. */
  follow(stream: ConferenceStream): void;
  /** The person chose what to receive of a stream; null: nothing. */
  choose(stream: ConferenceStream, want: Choice | null): void;
  /** This member began or stopped to publish: it gets the mix over its own connection, or as a stream. */
  followMix(): void;
  /** Publishes and subscribes everything that is wanted, over the standing connections where there are any. */
  reconcile(standing: Standing): void;
}

export function createWantedStreams(deps: {
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly own: OwnStreams;
  readonly sentAs: (type: OwnType) => StreamType;
  readonly connections: Connections;
  readonly camera: Camera;
  readonly screen: ScreenShare;
  readonly local: Local;
  readonly sendRequest: (request: ConferenceRequest) => void;
}): WantedStreams {
  const { model, record, own, connections } = deps;
  const slice = () => model.slice;

  function follow(stream: ConferenceStream, rtcId?: string): void {
    if (stream.memId === slice().self?.memId) return;
    const want = choiceOf(record.now, stream, slice().local);
    if (want === null) {
      connections.stop(stream.id);
      model.patchStream(stream.id, { video: false, audio: false, connection: "none" });
      return;
    }
    const wish: Wish = { kind: "sub", stream, ...want };
    if (rtcId === undefined) connections.subscribe(wish);
    else connections.adopt(wish, rtcId);
    model.patchStream(stream.id, want);
  }
  /** Handles an own stream that this core does not know: its answer was lost, or only an earlier core sent it. */
  function followOwn({ id, type }: ConferenceStream): void {
    const carried = ownTypeOf(type);
    if (deps.sentAs(carried) === type && connections.stateOf(pubKey(carried)) !== "none")
      own.remember(carried, id);
    else deps.sendRequest({ op: OP.terminate, rtcId: id, pubSId: id, endReason: 0 });
  }

  return {
    follow: (stream) => follow(stream),
    followMix() {
      const mix = slice().streams[MIX_STREAM_ID];
      if (mix !== undefined) follow(mix);
    },
    choose(stream, want) {
      record.patch({ chosen: { ...record.now?.chosen, [stream.id]: want } });
      follow(stream);
    },
    reconcile(standing) {
      const { streams, self, local } = slice();
      // A screen capture ends with its tab.
      if (!local.sharing) own.forget(1);
      deps.camera.follow(standing.get(pubKey(STREAM_TYPE.camera)));
      if (local.sharing) deps.screen.follow(standing.get(pubKey(STREAM_TYPE.screen)));
      for (const stream of Object.values(streams)) {
        if (stream.memId !== self?.memId) follow(stream, standing.get(stream.id));
        else if (own.typeOf(stream.id) === null) followOwn(stream);
      }
      deps.local.sendState();
    },
  };
}
