/**
 * Uploads the files of the outbox (docs/chat.md#files). The contents lie in the browser's storage until the message is sent or taken
 * back, so the next core uploads what a dead one did not finish.
 */
import { reconnectDelay } from "../../../../shared/domain/backoff.ts";
import type { CoreEnv, Timer } from "../../contracts.ts";
import { TAKEN_BACK } from "../../parts/index.ts";
import type { TransferSlots } from "../../transfers/slots.ts";
import { watchStall } from "../../transfers/stall.ts";
import { chatResumePoint } from "../provider/resumable-upload.ts";
import { FAILURE, isTransport } from "../provider/failures.ts";
import type { EntryFile, OutboxEntry } from "./outbox-entry.ts";
import { sourcesIn } from "./combined.ts";
import { ChatFailure, type ChatConnection, type UploadedFile } from "../provider/port.ts";

/** Contents of a message's file as they are stored. */
export interface FileContents {
  readonly file: Blob;
  /** A smaller picture of a picture or film. */
  readonly thumb: Blob | null;
}

/** Number of "busy" answers to one file after which it counts as refused. */
const BUSY_TRIES = 5;
/** ms between two reports of progress. */
const REPORT_EVERY = 100;

export interface UploadEvents {
  /**
   * @param share 0 to 1; null: nothing is being uploaded
   * @param waits the server cannot be reached, so it goes on later
   */
  progress(id: string, share: number | null, waits?: boolean): void;
  uploaded(id: string, uploaded: UploadedFile): void;
  refused(id: string, failure: ChatFailure): void;
  /** An upload has ended or may be tried again. */
  free(): void;
}

export interface Uploads {
  /** Resolves once the contents are stored. */
  keep(me: string, key: string, contents: FileContents): Promise<void>;
  read(me: string, key: string): Promise<FileContents | undefined>;
  /** Starts the upload unless it runs, waits, or others run. */
  offer(me: string, entry: OutboxEntry, file: EntryFile): void;
  /** Ends the upload of a message and deletes its contents. */
  drop(me: string, id: string, key: string): void;
  /** Ends all uploads; the contents stay. */
  close(): void;
}

const isContents = (value: unknown): value is FileContents =>
  typeof value === "object" && value !== null && "file" in value && value.file instanceof Blob;

export function createUploads(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "online" | "random" | "log">;
  readonly connection: () => ChatConnection | null;
  readonly events: UploadEvents;
  readonly slots: TransferSlots;
}): Uploads {
  const { env, events, slots } = deps;
  slots.onFree(events.free);
  const running = new Map<string, AbortController>();
  const pausing = new Map<string, Timer>();
  const busy = new Map<string, number>();
  /** Without an answer of the server. */
  const lost = new Map<string, number>();

  const keyOf = (me: string, key: string): string => `chat.file.${me}.${key}`;
  const forget = (id: string): void => {
    running.get(id)?.abort();
    running.delete(id);
    pausing.get(id)?.cancel();
    pausing.delete(id);
    busy.delete(id);
    lost.delete(id);
    events.progress(id, null);
  };
  const later = (id: string, tries: number): void => {
    const timer = env.clock.after(reconnectDelay(tries, env.random()), () => {
      pausing.delete(id);
      events.free();
    });
    pausing.set(id, timer);
  };
  const failed = (id: string, failure: ChatFailure): void => {
    events.progress(id, null, isTransport(failure.type));
    if (isTransport(failure.type)) {
      const tries = (lost.get(id) ?? 0) + 1;
      lost.set(id, tries);
      return later(id, tries);
    }
    const tries = (busy.get(id) ?? 0) + 1;
    busy.set(id, tries);
    if (failure.type === FAILURE.busy && tries < BUSY_TRIES) return later(id, tries);
    forget(id);
    events.refused(id, failure);
  };

  const run = async (
    connection: ChatConnection,
    me: string,
    { id, to, combined }: OutboxEntry,
    { key, name }: EntryFile,
    control: AbortController,
  ): Promise<void> => {
    const isCurrent = (): boolean => running.get(id) === control;
    let reportedAt = Number.NEGATIVE_INFINITY;
    const stall = watchStall(env, control.signal);
    const onProgress = (share: number): void => {
      stall.moved();
      const now = env.clock.now();
      if (!isCurrent() || now - reportedAt < REPORT_EVERY) return;
      reportedAt = now;
      events.progress(id, Math.min(1, Math.max(0, share)));
    };
    onProgress(0);
    try {
      const contents = await env.kv.get<unknown>(keyOf(me, key)).catch(() => {
        // The file may be there: try again later, as without a connection.
        throw new ChatFailure(FAILURE.disconnected, "the storage could not be read");
      });
      if (!isCurrent()) return;
      if (!isContents(contents)) throw new ChatFailure(FAILURE.fileGone, "the file is gone");
      const { thumb } = contents;
      const file =
        combined === undefined
          ? contents.file
          : connection.combined.encode(await sourcesIn(contents.file));
      if (!isCurrent()) return;
      const uploaded = await connection.upload({
        to,
        name,
        file,
        thumb,
        onProgress,
        signal: stall.signal,
        resume: chatResumePoint(env.kv, me, key),
      });
      if (!isCurrent()) return;
      forget(id);
      events.uploaded(id, uploaded);
    } catch (error) {
      if (!isCurrent()) return;
      running.delete(id);
      failed(id, error instanceof ChatFailure ? error : new ChatFailure(FAILURE.runtime, "upload"));
    } finally {
      stall.end();
    }
  };

  return {
    keep: (me, key, contents) => env.kv.set(keyOf(me, key), contents),
    async read(me, key) {
      const contents = await env.kv.get<unknown>(keyOf(me, key)).catch(() => undefined);
      return isContents(contents) ? contents : undefined;
    },
    offer(me, entry, file) {
      if (running.has(entry.id) || pausing.has(entry.id)) return;
      const connection = deps.connection();
      const control = new AbortController();
      if (connection === null || !slots.occupy(control)) return;
      running.set(entry.id, control);
      // Also when it failed before it began: the others wait for the slot.
      void run(connection, me, entry, file, control).finally(() => slots.release(control));
    },
    drop(me, id, key) {
      running.get(id)?.abort(TAKEN_BACK);
      forget(id);
      void env.kv.del(keyOf(me, key));
      void chatResumePoint(env.kv, me, key).write(null);
    },
    close() {
      for (const id of [...running.keys(), ...pausing.keys()]) forget(id);
    },
  };
}
