/** For tests of the queue of downloads: a core whose fetching the test plays. */
import type { AppError } from "../../../shared/errors.ts";
import type { DownloadSource } from "../../../shared/protocol/commands/downloads.ts";
import { settle } from "../core.fake.ts";
import { createQueueWorld, playedWork } from "../transfers/queue.harness.ts";
import { createDownloads } from "./index.ts";
import type { Fetching, Piece } from "./sources.ts";

const fileOf = (fileName: string): DownloadSource => ({ kind: "file", fileName });

/** One piece that is being fetched. */
export interface Played extends Fetching {
  answer(text: string, more: Partial<Piece>): Promise<void>;
  fail(error: AppError): Promise<void>;
}

export async function createQueue() {
  const world = createQueueWorld();
  const { env, store, session, slices, context } = world;
  const fetchings: Played[] = [];
  const downloads = createDownloads({
    env,
    store,
    session,
    fetchPiece: (fetching) =>
      playedWork<Piece>(fetching.signal, ({ succeed, fail }) =>
        fetchings.push({
          ...fetching,
          answer(text, more) {
            const blob = new Blob([text], { type: "text/plain" });
            return succeed({ blob, size: blob.size, whole: false, ...more });
          },
          fail,
        }),
      ),
  });
  const { handlers } = downloads;
  return {
    env,
    downloads,
    fetchings,
    context,
    entry: (key: string) => slices.downloads.byKey[key],
    states: () => world.states("downloads"),
    /** The fetching of a file that runs now, or ran last. */
    of(fileName: string): Played {
      const found = fetchings.findLast(
        ({ source }) => source.kind === "file" && source.fileName === fileName,
      );
      if (found === undefined) throw new Error(`${fileName} was not fetched`);
      return found;
    },
    async add(key: string) {
      await handlers.start({ key, name: `${key}.txt`, source: fileOf(key) }, context);
      await settle();
    },
    async collect(key: string): Promise<string | null> {
      const file = (await handlers.collect({ key }, context)) as Blob | null;
      return file === null ? null : await file.text();
    },
    become: world.become,
    listeners: world.listeners,
  };
}
