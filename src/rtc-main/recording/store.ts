/**
 * Keeps the parts of recordings in IndexedDB, where another tab finds them when the one that recorded is gone. A part is written as soon
 * as the browser hands it over. Each recording belongs to the account that made it. Other accounts of this browser do not see it.
 */
import { createStore, delMany, entries, get, getMany, keys, set } from "idb-keyval";
import { basePathOf, nameBelow } from "../../shared/domain/base-path.ts";
import { AppError } from "../../shared/errors.ts";
import type { RecordingInfo, Segment } from "./types.ts";

/** The account that is logged in; null before the login is read. */
export type RecordingOwner = () => string | null;

/** The methods of one person concern the recordings of this person alone. */
export interface RecordingStore {
  /** A recording keeps the account that began it. @throws AppError auth.required without a login */
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

interface Owned {
  readonly info: RecordingInfo;
  readonly owner: string;
}
type Key = [kind: "info" | "segment" | "part", id: string, at: number, index: number];

/** The account of a recording; null for recordings of earlier builds, which have none. */
const ownedOf = (value: unknown): Owned | null =>
  typeof value === "object" && value !== null && "owner" in value ? (value as Owned) : null;

/** @param base base path of the console, whose recordings are its own */
export function createRecordingStore(
  owner: RecordingOwner,
  base = basePathOf(import.meta.url),
): RecordingStore {
  const store = createStore(nameBelow(base, "conference-recordings"), "parts");
  const key = (kind: Key[0], id: string, at = 0, index = 0): Key => [kind, id, at, index];
  const keysOf = async (id: string): Promise<Key[]> =>
    (await keys<Key>(store)).filter(([, one]) => one === id);
  const isOwn = async (id: string): Promise<boolean> => {
    const found = ownedOf(await get<unknown>(key("info", id), store));
    return found !== null && found.owner === owner();
  };
  /** Deletes the parts first, so that a recording that is deleted half is still listed. */
  const drop = async (id: string): Promise<void> => {
    const all = await keysOf(id);
    await delMany(
      all.filter(([kind]) => kind !== "info"),
      store,
    );
    await delMany([key("info", id)], store);
  };
  return {
    async begin(info) {
      if (ownedOf(await get<unknown>(key("info", info.id), store)) !== null) return;
      const own = owner();
      if (own === null) throw new AppError("auth.required");
      await set(key("info", info.id), { info, owner: own } satisfies Owned, store);
    },
    segment: (id, segment) => set(key("segment", id, segment.at), segment, store),
    part: (id, at, index, data) => set(key("part", id, at, index), data, store),
    async list() {
      const all = await entries<Key, unknown>(store);
      const infos: RecordingInfo[] = [];
      for (const [[kind, id], value] of all) {
        if (kind !== "info") continue;
        const found = ownedOf(value);
        if (found === null) await drop(id);
        else if (found.owner === owner()) infos.push(found.info);
      }
      return infos.toSorted((a, b) => b.startedAt - a.startedAt);
    },
    async read(id) {
      if (!(await isOwn(id))) return [];
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
      if (await isOwn(id)) await drop(id);
    },
  };
}
