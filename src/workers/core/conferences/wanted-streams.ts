/** Follows the streams of a conference: subscribes what this member wants of the others, and publishes what it sends. */
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { type ConfrStream } from "../../../shared/protocol/confr-model.ts";
import type { Camera } from "./camera.ts";
import { pubKey, type Wish } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { ConferenceRecord, KeptConference } from "./kept.ts";
import type { Local } from "./local.ts";
import type { Model } from "./model.ts";
import type { OwnStreams } from "./own-streams.ts";
import type { ScreenShare } from "./screen.ts";
import type { ConferenceRequest } from "./session.ts";

/** What to receive of a stream. */
export interface Choice {
  readonly video: boolean;
  readonly audio: boolean;
}

/** The rtcIds of connections that the owner tab still has since an earlier core, by key. */
export type Standing = ReadonlyMap<string, string>;

export interface WantedStreams {
  /** A stream was published or republished. */
  follow(stream: ConfrStream): void;
  /** The person chose what to receive of a stream; null: nothing. */
  choose(stream: ConfrStream, want: Choice | null): void;
  /** Publishes and subscribes everything that is wanted, over the standing connections where there are any. */
  reconcile(standing: Standing): void;
}

/** The person's choice for a stream, otherwise what autoSub says; null: nothing. */
export function choiceOf(kept: KeptConference | null, stream: ConfrStream): Choice | null {
  const chosen = kept?.chosen[stream.id];
  if (chosen !== undefined) return chosen;
  return kept?.autoSub === true ? { video: stream.hasVideo, audio: stream.hasAudio } : null;
}

export function createWantedStreams(deps: {
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly own: OwnStreams;
  readonly connections: Connections;
  readonly camera: Camera;
  readonly screen: ScreenShare;
  readonly local: Local;
  readonly sendRequest: (request: ConferenceRequest) => void;
}): WantedStreams {
  const { model, record, own, connections } = deps;
  const slice = () => model.slice;

  function follow(stream: ConfrStream, rtcId?: string): void {
    if (stream.memId === slice().self?.memId) return;
    const want = choiceOf(record.now, stream);
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
  function followOwn({ id, type }: ConfrStream): void {
    if (type !== STREAM_TYPE.mixer && connections.stateOf(pubKey(type)) !== "none")
      own.remember(type, id);
    else deps.sendRequest({ op: OP.terminate, rtcId: id, pubSId: id, endReason: 0 });
  }

  return {
    follow: (stream) => follow(stream),
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
