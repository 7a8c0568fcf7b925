/** What this browser has recorded: makes files of it and gives them to the person, in any tab. */
import { AppError } from "../../shared/errors.ts";
import { browserDownload, download, type DownloadPort, fileName } from "./download.ts";
import type { FileSink, Recorded } from "./join.ts";
import { createRecordingStore, type RecordingOwner, type RecordingStore } from "./store.ts";
import type { RecordingInfo } from "./types.ts";

export interface Recordings {
  /** Recordings that were not saved, newest first; also the one that goes on. */
  list(): Promise<RecordingInfo[]>;
  /** The whole recording as one file. @throws AppError media.nothing-recorded */
  file(id: string): Promise<{ readonly file: Blob; readonly name: string }>;
  /** Downloads the file, and forgets the recording when the browser has read it. @returns the file's name and bytes */
  save(id: string): Promise<{ readonly name: string; readonly bytes: number }>;
  discard(id: string): Promise<void>;
}

export function createRecordings(deps: {
  readonly store: RecordingStore;
  readonly join: () => Promise<typeof import("./join.ts").joinSegments>;
  /** A file outside memory; null where the browser has none. */
  readonly openSink: (name: string) => Promise<(FileSink & { remove(): void }) | null>;
  readonly download: DownloadPort;
}): Recordings {
  const { store } = deps;
  async function made(id: string) {
    const info = (await store.list()).find((one) => one.id === id);
    const recorded: Recorded[] = info === undefined ? [] : await store.read(id);
    if (info === undefined || recorded.length === 0) throw new AppError("media.nothing-recorded");
    const sink = await deps.openSink(`recording-${id}`).catch(() => null);
    try {
      const joinSegments = await deps.join();
      const { file, extension } = await joinSegments(recorded, sink);
      const name = fileName(info.name, info.startedAt, extension);
      return { file, name, remove: () => sink?.remove() };
    } catch (error) {
      sink?.remove();
      throw error;
    }
  }
  return {
    list: () => store.list(),
    async file(id) {
      const { file, name } = await made(id);
      return { file, name };
    },
    async save(id) {
      const { file, name, remove } = await made(id);
      download(file, name, deps.download, () => {
        remove();
        void store.discard(id);
      });
      return { name, bytes: file.size };
    },
    discard: (id) => store.discard(id),
  };
}

async function openSink(name: string): Promise<(FileSink & { remove(): void }) | null> {
  const root = await navigator.storage.getDirectory();
  const handle = await root.getFileHandle(name, { create: true });
  if (!("createWritable" in handle)) return null;
  const writable = await handle.createWritable();
  return {
    writable,
    file: () => handle.getFile(),
    remove: () => void root.removeEntry(name).catch(() => undefined),
  };
}

export const browserRecordings = (owner: RecordingOwner): Recordings =>
  createRecordings({
    store: createRecordingStore(owner),
    join: () => import("./join.ts").then((module) => module.joinSegments),
    openSink,
    download: browserDownload,
  });
