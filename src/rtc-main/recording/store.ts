/**
 * Keeps the parts of recordings in IndexedDB, where another tab finds them when the one that recorded is gone. A part is written as soon
 * as the browser hands it over.
 */
import { createStore, del, delMany, entries, get, getMany, keys, set } from "idb-keyval";
import type { RecordingInfo, Segment } from "./types.ts";

export interface RecordingStore {
  begin(info: RecordingInfo): Promise<void>;
  /** A segment is known with its first part. */
  segment(id: string, segment: Segment): Promise<void>;
  part(id: string, at: number, index: number, data: Blob): Promise<void>;
  /** All recordings, newest first. */
  list(): Promise<RecordingInfo[]>;
  /** The segments in the order in which they were recorded, each with its parts joined. */
  read(id: string): Promise<{ readonly segment: Segment; readonly data: Blob }[]>;
  discard(id: string): Promise<void>;
}

type Key = [kind: "info" | "segment" | "part", id: string, at: number, index: number];

export function createRecordingStore(name = "conference-recordings"): RecordingStore {
  const store = createStore(name, "parts");
  const key = (kind: Key[0], id: string, at = 0, index = 0): Key => [kind, id, at, index];
  const keysOf = async (id: string): Promise<Key[]> =>
    (await keys<Key>(store)).filter(([, one]) => one === id);
  return {
    begin: (info) => set(key("info", info.id), info, store),
    segment: (id, segment) => set(key("segment", id, segment.at), segment, store),
    part: (id, at, index, data) => set(key("part", id, at, index), data, store),
    async list() {
      const all = await entries<Key, unknown>(store);
      const infos = all.flatMap(([[kind], value]) =>
        kind === "info" ? [value as RecordingInfo] : [],
      );
      return infos.toSorted((a, b) => b.startedAt - a.startedAt);
    },
    async read(id) {
      const all = await keysOf(id);
      const segments = all.filter(([kind]) => kind === "segment").map((one) => one[2]);
      return Promise.all(
        segments
          .toSorted((a, b) => a - b)
          .map(async (at) => {
            const segment = (await get<Segment>(key("segment", id, at), store)) as Segment;
            const own = all
              .filter(([kind, , of]) => kind === "part" && of === at)
              .toSorted((a, b) => a[3] - b[3]);
            const parts = (await getMany<Blob>(own, store)) as Blob[];
            return { segment, data: new Blob(parts, { type: segment.type }) };
          }),
      );
    },
    async discard(id) {
      const all = await keysOf(id);
      await delMany(all, store);
      await del(key("info", id), store);
    },
  };
}
