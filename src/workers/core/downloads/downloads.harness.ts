/** For tests of the queue of downloads: a core whose fetching the test plays. */
import { AppError } from "../../../shared/errors.ts";
import type { DownloadSource } from "../../../shared/protocol/commands/downloads.ts";
import { initialSlices } from "../../../shared/protocol/initial-state.ts";
import type { SessionUser } from "../contracts.ts";
import { createFakeEnv, settle } from "../core.fake.ts";
import { createStore } from "../store/index.ts";
import { createDownloads } from "./index.ts";
import type { Fetching, Piece } from "./sources.ts";

export const ZHANG: SessionUser = {
  accountId: "a1",
  username: "zhangwei",
  name: "张伟",
  supplierId: "s1",
};
const fileOf = (fileName: string): DownloadSource => ({ kind: "file", fileName });

/** One piece that is being fetched. */
export interface Played extends Fetching {
  answer(text: string, more: Partial<Piece>): Promise<void>;
  fail(error: AppError): Promise<void>;
}

export async function createQueue() {
  const env = createFakeEnv();
  const slices = initialSlices({ coreId: "core", build: "b", now: env.clock.now() });
  slices.session.supplierId = "s1";
  const store = createStore({ clock: env.clock, epoch: "core", newId: env.newId, slices });
  const listeners = new Set<(user: SessionUser | null) => void>();
  const fetchings: Played[] = [];
  let user: SessionUser | null = ZHANG;
  const downloads = createDownloads({
    env,
    store,
    session: {
      user: () => user,
      onUser(handler) {
        listeners.add(handler);
        return () => listeners.delete(handler);
      },
    },
    fetchPiece: (fetching) =>
      new Promise((resolve, reject) => {
        fetching.signal.addEventListener("abort", () => reject(new AppError("request.cancelled")));
        fetchings.push({
          ...fetching,
          async answer(text, more) {
            const blob = new Blob([text], { type: "text/plain" });
            resolve({ blob, size: blob.size, whole: false, ...more });
            await settle();
          },
          async fail(error) {
            reject(error);
            await settle();
          },
        });
      }),
  });
  const { handlers } = downloads;
  const context = { tabId: "t1", id: "c" };
  return {
    env,
    downloads,
    fetchings,
    context,
    entry: (key: string) => slices.downloads.byKey[key],
    states: () =>
      Object.fromEntries(
        Object.entries(slices.downloads.byKey).map(([key, { state }]) => [key, state]),
      ),
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
    /** The person of the session from now on. @param left why there is none */
    async become(next: SessionUser | null, left: "logout" | "expired" | null = null) {
      user = next;
      slices.session.left = left;
      for (const handler of listeners) handler(next);
      await settle();
    },
    listeners: () => listeners.size,
  };
}
