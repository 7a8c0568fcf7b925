/** What the header says of all uploads. Pure. */
import type { ChatUpload, UploadEntry } from "../../../shared/protocol/state.ts";

/** A file of a chat message as the list shows it. */
export const chatEntry = (upload: ChatUpload): UploadEntry => ({
  ...upload,
  rate: 0,
  error: null,
  survives: true,
  fileName: null,
});

export interface Totals {
  /** Uploads that are not over. */
  readonly running: number;
  readonly failed: number;
  /** Of the bytes of all that did not fail, 0 to 100. */
  readonly percent: number;
}

export function totalsOf(entries: readonly Pick<UploadEntry, "state" | "sent" | "size">[]): Totals {
  const failed = entries.filter(({ state }) => state === "failed").length;
  const going = entries.filter(({ state }) => state !== "failed");
  const running = going.filter(({ state }) => state !== "done").length;
  const sum = (of: "sent" | "size"): number => going.reduce((all, entry) => all + entry[of], 0);
  const size = sum("size");
  return { running, failed, percent: size === 0 ? 0 : Math.floor((100 * sum("sent")) / size) };
}
