/** Uploads, files of chat messages and downloads as lines of one list, and what the header says of them all. Pure. */
import type { WireError } from "../../../shared/errors.ts";
import type { ChatUpload, DownloadEntry, UploadEntry } from "../../../shared/protocol/state.ts";

export interface TransferLine {
  readonly key: string;
  readonly kind: "upload" | "chat" | "download";
  /** Of the message whose file it is; null for others. */
  readonly chatId: string | null;
  readonly name: string;
  /** bytes that are there, of all (null while they are unknown), and in a second */
  readonly moved: number;
  readonly size: number | null;
  readonly rate: number;
  readonly state: UploadEntry["state"];
  readonly error: WireError | null;
  /** ms since the epoch */
  readonly at: number;
}

type ByKey<T> = Readonly<Record<string, T>>;

/** @returns those that the header lists, the oldest first */
export function transferLines(slices: {
  readonly uploads: { readonly byKey: ByKey<UploadEntry>; readonly chat: ByKey<ChatUpload> };
  readonly downloads: { readonly byKey: ByKey<DownloadEntry> };
}): TransferLine[] {
  const { uploads, downloads } = slices;
  const line = (
    kind: TransferLine["kind"],
    key: string,
    entry: Pick<TransferLine, "name" | "size" | "state" | "at">,
    more: Pick<TransferLine, "moved"> & Partial<TransferLine>,
  ): TransferLine => {
    const { name, size, state, at } = entry;
    return { key, kind, name, size, state, at, chatId: null, rate: 0, error: null, ...more };
  };
  return [
    ...Object.entries(uploads.byKey).map(([key, entry]) =>
      line("upload", key, entry, { moved: entry.sent, rate: entry.rate, error: entry.error }),
    ),
    ...Object.entries(uploads.chat).map(([key, entry]) =>
      line("chat", key, entry, { moved: entry.sent, chatId: entry.chatId }),
    ),
    ...Object.entries(downloads.byKey)
      .filter(([, { listed }]) => listed)
      .map(([key, entry]) =>
        line("download", key, entry, {
          moved: entry.received,
          rate: entry.rate,
          error: entry.error,
        }),
      ),
  ].sort((a, b) => a.at - b.at);
}

export const isOver = ({ state }: Pick<TransferLine, "state">): boolean =>
  state === "done" || state === "failed";

/** 0 to 100; null while the size is unknown. */
export const percentOf = ({ moved, size }: Pick<TransferLine, "moved" | "size">): number | null =>
  size === null || size === 0 ? null : Math.floor((100 * moved) / size);

export interface Totals {
  /** Those that are not over. */
  readonly running: number;
  readonly failed: number;
  /** Of the bytes of all that did not fail, 0 to 100; null while the size of one is unknown. */
  readonly percent: number | null;
}

export function totalsOf(lines: readonly Pick<TransferLine, "state" | "moved" | "size">[]): Totals {
  const failed = lines.filter(({ state }) => state === "failed").length;
  const going = lines.filter(({ state }) => state !== "failed");
  const running = going.filter(({ state }) => state !== "done").length;
  const sizes = going.map(({ size }) => size);
  const moved = going.reduce((sum, line) => sum + line.moved, 0);
  const size = sizes.reduce<number | null>(
    (sum, one) => (sum === null || one === null ? null : sum + one),
    0,
  );
  return { running, failed, percent: going.length === 0 ? 0 : percentOf({ moved, size }) };
}
