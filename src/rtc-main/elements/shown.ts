/**
 * Chooses the connection that is shown and heard. While a new connection comes up, the old one stays until the new one's first
 * media arrives. The old one's last frame stays even after it is closed.
 */
import type { Kind } from "../engine.ts";

interface Entry {
  readonly rtcId: string;
  /** Later connections win over earlier ones. */
  readonly order: number;
  readonly tracks: Partial<Record<Kind, MediaStreamTrack>>;
  readonly flowing: Set<Kind>;
}

export interface Shown {
  track(rtcId: string, track: MediaStreamTrack): void;
  first(rtcId: string, kind: Kind): void;
  gone(rtcId: string, kind?: Kind): void;
  /** Whether a remote picture is shown. */
  readonly hasVideo: boolean;
  clear(): void;
}

export function createShown(
  show: (kind: Kind, track: MediaStreamTrack | null) => void,
  /** Called when the shown picture ends and no other one follows yet. */
  freeze: () => void,
  onChange: () => void,
): Shown {
  const entries = new Map<string, Entry>();
  const current: Record<Kind, Entry | null> = { audio: null, video: null };
  let orders = 0;
  let hasVideo = false;

  const setHasVideo = (value: boolean): void => {
    if (value === hasVideo) return;
    hasVideo = value;
    onChange();
  };
  const use = (kind: Kind, entry: Entry): void => {
    current[kind] = entry;
    show(kind, entry.tracks[kind] ?? null);
    if (kind === "video" && entry.flowing.has("video")) setHasVideo(true);
  };
  const alive = (entry: Entry | null, kind: Kind): boolean =>
    entry !== null && entries.get(entry.rtcId) === entry && entry.tracks[kind] !== undefined;
  const best = (kind: Kind): Entry | undefined =>
    [...entries.values()]
      .filter((entry) => entry.flowing.has(kind) && entry.tracks[kind] !== undefined)
      .sort((a, b) => b.order - a.order)[0];

  return {
    track(rtcId, track) {
      const kind = track.kind as Kind;
      let entry = entries.get(rtcId);
      if (entry === undefined) {
        entry = { rtcId, order: ++orders, tracks: {}, flowing: new Set() };
        entries.set(rtcId, entry);
      }
      entry.tracks[kind] = track;
      const now = current[kind];
      // Replace at once what is empty, belongs to the same connection, or is ended sound. An ended picture keeps its last frame.
      if (now === null || now === entry || (kind === "audio" && !alive(now, kind)))
        use(kind, entry);
    },
    first(rtcId, kind) {
      const entry = entries.get(rtcId);
      if (entry === undefined) return;
      entry.flowing.add(kind);
      const now = current[kind];
      const nowFlows = alive(now, kind) && now?.flowing.has(kind) === true;
      if (now === null || !nowFlows || now.order <= entry.order) use(kind, entry);
    },
    gone(rtcId, kind) {
      const entry = entries.get(rtcId);
      if (entry === undefined) return;
      if (kind === undefined) entries.delete(rtcId);
      else {
        delete entry.tracks[kind];
        entry.flowing.delete(kind);
      }
      for (const each of ["audio", "video"] as const) {
        if (current[each] !== entry || (kind !== undefined && kind !== each)) continue;
        const next = best(each);
        if (next !== undefined) use(each, next);
        else if (each === "video" && hasVideo) freeze();
      }
    },
    get hasVideo() {
      return hasVideo;
    },
    clear() {
      entries.clear();
      for (const kind of ["audio", "video"] as const) {
        current[kind] = null;
        show(kind, null);
      }
      setHasVideo(false);
    },
  };
}
