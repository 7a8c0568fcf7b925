/** Events of the owner tab about the streams: the layers that its tiles need, who is talking, the size of the own pictures. */
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import type { ConferenceMediaEvent } from "../../../shared/protocol/confr-media.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { CameraEvent } from "./camera-requests.ts";
import type { ConferenceConfig } from "./config.ts";
import { pubKey } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { Model } from "./model.ts";
import type { OwnStreams } from "./own-streams.ts";
import type { ScreenShare } from "./screen.ts";

export interface Size {
  readonly w: number;
  readonly h: number;
}

export interface TabEvents {
  heard(event: Exclude<ConferenceMediaEvent, CameraEvent>): void;
  /** A stream was removed: its wish no longer counts. */
  removed(streamId: string): void;
  /** Whether a tile has painted a frame of this stream. The tab says so only beside a call. */
  isShown(streamId: string): boolean;
  /** Whether sound or picture has come by this connection. */
  hasMedia(rtcId: string | null, kind: "audio" | "video"): boolean;
  /** The size of the picture that a connection sends; null when it is unknown. */
  sizeOf(rtcId: string | null): Size | null;
  cancel(): void;
  reset(): void;
}

export function createTabEvents(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly config: Pick<ConferenceConfig, "wishDelayMillis">;
  readonly model: Model;
  readonly own: OwnStreams;
  readonly connections: () => Connections;
  readonly screen: () => ScreenShare;
  /** The first sound or picture of a connection came. */
  readonly onMedia: () => void;
  readonly onControlAble: (able: boolean) => void;
}): TabEvents {
  const { model, own } = deps;
  /** Wishes that are sent after a pause, by stream. */
  const wishing = new Map<string, Timer>();
  /** Sizes of the own pictures, by rtcId. */
  const sizes = new Map<string, Size>();
  /** What has come, as rtcId and kind. */
  const media = new Set<string>();
  const shown = new Set<string>();

  const wished = ({ streamId, layer }: Extract<ConferenceMediaEvent, { t: "wish" }>): void => {
    wishing.get(streamId)?.cancel();
    const timer = deps.env.clock.after(deps.config.wishDelayMillis, () => {
      wishing.delete(streamId);
      deps.connections().wish(streamId, layer);
      model.patchStream(streamId, { layer });
    });
    wishing.set(streamId, timer);
  };
  const talking = (streamIds: readonly string[]): void => {
    const ids = new Set(streamIds.map((id) => (id === "self" ? own.idOf(0) : id)));
    for (const id of Object.keys(model.slice.streams)) {
      model.patchStream(id, { talking: ids.has(id) });
    }
  };
  const resized = ({ rtcId, w, h }: Extract<ConferenceMediaEvent, { t: "resolution" }>): void => {
    sizes.set(rtcId, { w, h });
    const connections = deps.connections();
    const type = ([STREAM_TYPE.camera, STREAM_TYPE.screen] as const).find(
      (each) => connections.rtcIdOf(pubKey(each)) === rtcId,
    );
    if (type !== undefined) model.patchStream(own.idOf(type) ?? "", { resolution: { w, h } });
  };
  const cancel = (): void => {
    for (const timer of wishing.values()) timer.cancel();
    wishing.clear();
  };

  return {
    heard(event) {
      if (event.t === "first-media") {
        media.add(`${event.rtcId} ${event.kind}`);
        deps.onMedia();
      }
      if (event.t === "shown") {
        shown.add(event.streamId);
        deps.onMedia();
      } else if (event.t === "wish") wished(event);
      else if (event.t === "talking") talking(event.streamIds);
      else if (event.t === "resolution") resized(event);
      else if (event.t === "screen") deps.screen().heard(event);
      else if (event.t === "control-able") deps.onControlAble(event.able);
      else deps.connections().event(event);
    },
    removed(streamId) {
      wishing.get(streamId)?.cancel();
      wishing.delete(streamId);
    },
    isShown: (streamId) => shown.has(streamId),
    hasMedia: (rtcId, kind) => media.has(`${rtcId} ${kind}`),
    sizeOf: (rtcId) => (rtcId === null ? null : (sizes.get(rtcId) ?? null)),
    cancel,
    reset() {
      cancel();
      sizes.clear();
      media.clear();
      shown.clear();
    },
  };
}
