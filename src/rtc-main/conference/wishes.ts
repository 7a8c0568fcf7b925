/** Sends the core the layers that this tab's tiles need. Raises at once, lowers after a delay, at most twice per second and stream. */
import type { Layer } from "../../shared/protocol/confr-model.ts";
import type { MediaClock, MediaTimer } from "../clock.ts";

/** ms between two wishes for a stream, and before a lower layer is requested, because a tile that moves is briefly absent. */
export const WISH_MS = 500;
const RANK: Readonly<Record<Layer, number>> = { none: 0, low: 1, high: 2 };

export interface Wishes {
  /** Checks the wishes of the streams that are received now, and forgets all others. */
  look(streamIds: Iterable<string>): void;
  replay(): void;
  close(): void;
}

interface Wish {
  told: Layer | null;
  at: number;
  timer: MediaTimer | null;
}

/** @param wish returns the layer that the elements of a stream need now */
export function createWishes(
  clock: MediaClock,
  wish: (streamId: string) => Layer,
  tell: (streamId: string, layer: Layer) => void,
): Wishes {
  const wishes = new Map<string, Wish>();
  const say = (streamId: string, one: Wish): void => {
    one.timer = null;
    const layer = wish(streamId);
    if (layer === one.told) return;
    one.told = layer;
    one.at = clock.now();
    tell(streamId, layer);
  };
  const consider = (streamId: string): void => {
    const one = wishes.get(streamId) ?? { told: null, at: 0, timer: null };
    wishes.set(streamId, one);
    const layer = wish(streamId);
    one.timer?.cancel();
    one.timer = null;
    if (layer === one.told) return;
    // For a new stream, delay only "none": its tile appears at about the same time as its connection.
    const less = one.told === null ? layer === "none" : RANK[layer] < RANK[one.told];
    const wait = Math.max(one.at + WISH_MS - clock.now(), less ? WISH_MS : 0, 0);
    one.timer = clock.after(wait, () => say(streamId, one));
  };
  return {
    look(streamIds) {
      const now = new Set(streamIds);
      for (const [streamId, one] of wishes) {
        if (now.has(streamId)) continue;
        one.timer?.cancel();
        wishes.delete(streamId);
      }
      for (const streamId of now) consider(streamId);
    },
    replay() {
      for (const [streamId, { told }] of wishes) if (told !== null) tell(streamId, told);
    },
    close() {
      for (const { timer } of wishes.values()) timer?.cancel();
      wishes.clear();
    },
  };
}
