/** Sends the core the layers that this tab's tiles need. Raises at once, lowers after a delay, at most twice per second and stream. */
import type { Layer } from "../../shared/protocol/confr-model.ts";
import type { MediaClock, MediaTimer } from "../clock.ts";

/** ms between two requests for a stream, and before a lower layer is requested, because a tile that moves is briefly absent. */
export const LAYER_REQUEST_MS = 500;
const RANK: Readonly<Record<Layer, number>> = { none: 0, low: 1, high: 2 };

export interface RequestedLayers {
  /** Checks the layers of the streams that are received now, and forgets all others. */
  look(streamIds: Iterable<string>): void;
  replay(): void;
  close(): void;
}

interface LayerRequest {
  lastSent: Layer | null;
  at: number;
  timer: MediaTimer | null;
}

/** @param wish returns the layer that the elements of a stream need now */
export function createRequestedLayers(
  clock: MediaClock,
  wish: (streamId: string) => Layer,
  sendLayer: (streamId: string, layer: Layer) => void,
): RequestedLayers {
  const requests = new Map<string, LayerRequest>();
  const sendIfChanged = (streamId: string, one: LayerRequest): void => {
    one.timer = null;
    const layer = wish(streamId);
    if (layer === one.lastSent) return;
    one.lastSent = layer;
    one.at = clock.now();
    sendLayer(streamId, layer);
  };
  const consider = (streamId: string): void => {
    const one = requests.get(streamId) ?? { lastSent: null, at: 0, timer: null };
    requests.set(streamId, one);
    const layer = wish(streamId);
    one.timer?.cancel();
    one.timer = null;
    if (layer === one.lastSent) return;
    // For a new stream, delay only "none": its tile appears at about the same time as its connection.
    const less = one.lastSent === null ? layer === "none" : RANK[layer] < RANK[one.lastSent];
    const wait = Math.max(one.at + LAYER_REQUEST_MS - clock.now(), less ? LAYER_REQUEST_MS : 0, 0);
    one.timer = clock.after(wait, () => sendIfChanged(streamId, one));
  };
  return {
    look(streamIds) {
      const now = new Set(streamIds);
      for (const [streamId, one] of requests) {
        if (now.has(streamId)) continue;
        one.timer?.cancel();
        requests.delete(streamId);
      }
      for (const streamId of now) consider(streamId);
    },
    replay() {
      for (const [streamId, { lastSent }] of requests)
        if (lastSent !== null) sendLayer(streamId, lastSent);
    },
    close() {
      for (const { timer } of requests.values()) timer?.cancel();
      requests.clear();
    },
  };
}
