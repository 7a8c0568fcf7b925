/** What the other parts of chat do with the outbox. */
import type { LandedEntry, OutboxEntry } from "./outbox-entry.ts";
import type { FileContents } from "./uploads.ts";

export interface Outbox {
  /** Loads the entries that an earlier core stored, oldest first. */
  load(
    me: string,
  ): Promise<{ readonly entries: readonly OutboxEntry[]; readonly landed: readonly LandedEntry[] }>;
  /** Id of the message that a command made earlier; null when it made none. */
  madeBy(commandId: string): string | null;
  /** Resolves once the entry is stored. Rejects while no account's outbox is loaded. */
  add(entry: OutboxEntry, commandId: string): Promise<void>;
  /** Resolves once the contents of a file are stored, which must be before its entry is. */
  keepFile(key: string, contents: FileContents): Promise<void>;
  /** The picture of an entry that is a picture or film, from what is stored. */
  pictureOf(id: string): Promise<Blob | null>;
  /** Takes an entry back. @returns false when there is none, or it is being sent */
  cancel(id: string): boolean;
  /** Sends a refused message again under the same id. @returns false when there is none */
  again(id: string): Promise<boolean>;
  /** The server has the message, although no acknowledgement came: the core received it back or read it in the history. */
  confirmed(id: string, mid: string, time: number): void;
  /** The stored copies of their conversations contain these messages, with the server's ids. */
  copied(ids: readonly string[]): void;
  /** Removes taken messages from the storage of a person who has logged out. */
  dropLanded(me: string): Promise<void>;
  /** Sends what can be sent now. */
  pump(): void;
  /** The connection is lost: pending sends count as not sent. */
  lost(): void;
  /** Forgets the entries in memory, after it has handed the last changes to the storage; stored entries stay. */
  close(): void;
  /** Resolves when what was to be written before is written. */
  settled(): Promise<void>;
}
