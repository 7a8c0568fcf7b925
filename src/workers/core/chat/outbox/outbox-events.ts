/** What the outbox tells about its messages. */
import type { OutboxEntry } from "./outbox-entry.ts";
import type { ChatFailure } from "../provider/port.ts";

export interface OutboxEvents {
  /** A new entry is stored, and will be sent. */
  stored(entry: OutboxEntry): void;
  sent(entry: OutboxEntry, mid: string, time: number | null): void;
  refused(entry: OutboxEntry, failure: ChatFailure): void;
  /** As `UploadEvents.progress`. */
  progress(id: string, share: number | null, waits?: boolean): void;
  /** The messages of now, after any change of them. */
  changed(entries: readonly OutboxEntry[]): void;
  /** The server has the entry's file. */
  uploaded(entry: OutboxEntry): void;
  traffic(): void;
}
