/**
 * The outbox in storage (docs/chat.md#outbox), one write at a time. What could not be read is never overwritten: it is read again and
 * joined first.
 */
import type { CoreEnv, Timer } from "../../contracts.ts";
import { joined, type OutboxStored, storedSchema } from "./outbox-entry.ts";

export const outboxKey = (me: string): string => `chat.outbox.${me}`;
/** ms between attempts to read an outbox that could not be read; the last value repeats. */
const REREAD_MS = [1_000, 3_000, 10_000, 30_000] as const;

/** What is stored, as it was when the write began. */
export interface OutboxContent extends OutboxStored {
  /** Whose outbox it is. */
  readonly me: string;
}

export interface OutboxWriter {
  /**
   * What is stored for this account, after all earlier writes; null: nothing, or not readable now. `onRead` follows in the second case,
   * and until then nothing is written for the account.
   */
  open(me: string): Promise<OutboxStored | null>;
  /** Resolves once a write that began after this call has ended; calls meanwhile share the next one. Never rejects. */
  write(): Promise<void>;
  /** The account is left: what waits is written as it is now, under the account's key. */
  close(): void;
  /** Removes the taken messages of an account that was left. */
  dropLanded(me: string): Promise<void>;
  /** Resolves when what was to be written before is written. */
  settled(): Promise<void>;
}

/**
 * @param deps.content copies what is to be stored; null while no account's outbox is loaded
 * @param deps.onRead what could not be read at first
 * @param deps.onWritten the write of this content has ended, whether it succeeded or not
 */
export function createOutboxWriter(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "log">;
  readonly content: () => OutboxContent | null;
  readonly onRead: (stored: OutboxStored) => void;
  readonly onWritten: (content: OutboxContent) => void;
}): OutboxWriter {
  const { env } = deps;
  /** What must be written for accounts that were left, the oldest first. */
  const jobs: (() => Promise<void>)[] = [];
  /** Contents of accounts that were left while their outbox could not be read. */
  const unwritten = new Map<string, OutboxContent>();
  let waiting: (() => void)[] = [];
  let running: Promise<void> | null = null;
  /** The open account, while its stored outbox could not be read. */
  let unread: string | null = null;
  let reread: Timer | null = null;
  let rereads = 0;
  /** Raised by each close. */
  let closes = 0;

  const failed = (what: string, error: unknown): void =>
    env.log("chat", "error", `${what}, ${error instanceof Error ? error.name : "error"}`);
  const read = async (me: string): Promise<OutboxStored | null> => {
    const stored = storedSchema.safeParse(await env.kv.get(outboxKey(me)));
    return stored.success ? stored.data : null;
  };
  const put = async ({ me, entries, made, landed }: OutboxContent): Promise<void> => {
    try {
      await env.kv.set(outboxKey(me), { entries, made, landed });
    } catch (error) {
      // a full or broken disk must not stop the chat: send the message although it would not survive this core
      failed("outbox not written", error);
    }
  };

  const readLater = (): void => {
    reread ??= env.clock.after(REREAD_MS[rereads] ?? 30_000, () => {
      reread = null;
      void readAgain();
    });
    rereads = Math.min(rereads + 1, REREAD_MS.length - 1);
  };
  const readAgain = async (): Promise<void> => {
    const me = unread;
    if (me === null) return;
    const ownCloses = closes;
    try {
      const stored = await read(me);
      if (closes !== ownCloses || unread !== me) return;
      unread = null;
      reread?.cancel();
      reread = null;
      if (stored !== null) deps.onRead(stored);
    } catch (error) {
      failed("outbox not read", error);
      if (closes === ownCloses) readLater();
    }
  };

  const writeOpen = async (): Promise<void> => {
    const ownCloses = closes;
    await readAgain();
    // closed meanwhile: a job has what waited
    if (closes !== ownCloses) return;
    const served = waiting;
    waiting = [];
    const content = deps.content();
    if (content !== null) {
      if (unread === null) await put(content);
      deps.onWritten(content);
    }
    for (const done of served) done();
  };
  const writeAll = async (): Promise<void> => {
    for (;;) {
      const job = jobs.shift();
      if (job !== undefined) await job();
      else if (waiting.length > 0) await writeOpen();
      else break;
    }
    // In the same turn as the last look, so that what comes next begins a run of its own.
    running = null;
  };
  const run = (): void => {
    running ??= writeAll();
  };
  /** The last write for an account that was left. */
  const writeClosed = async (content: OutboxContent, isRead: boolean): Promise<void> => {
    try {
      const stored = isRead ? null : await read(content.me);
      await put(stored === null ? content : { me: content.me, ...joined(stored, content) });
    } catch (error) {
      failed("outbox not read", error);
      unwritten.set(content.me, content);
    }
  };

  return {
    async open(me) {
      if (running !== null) await running;
      const ownCloses = closes;
      const left = unwritten.get(me);
      const opened = (isUnread: boolean): void => {
        if (closes !== ownCloses) return;
        unwritten.delete(me);
        unread = isUnread ? me : null;
        rereads = 0;
        if (isUnread) readLater();
      };
      try {
        const stored = await read(me);
        opened(false);
        return left === undefined || stored === null
          ? (stored ?? left ?? null)
          : joined(stored, left);
      } catch (error) {
        failed("outbox not read", error);
        opened(true);
        return left ?? null;
      }
    },
    write: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        run();
      }),
    close() {
      closes += 1;
      const isRead = unread === null;
      unread = null;
      reread?.cancel();
      reread = null;
      const served = waiting;
      waiting = [];
      if (served.length === 0) return;
      const content = deps.content();
      jobs.push(async () => {
        if (content !== null) await writeClosed(content, isRead);
        for (const done of served) done();
      });
      run();
    },
    dropLanded(me) {
      return new Promise((resolve) => {
        jobs.push(async () => {
          try {
            const stored = await read(me);
            if (stored !== null && stored.landed.length > 0)
              await put({ me, ...stored, landed: [] });
          } catch (error) {
            failed("taken messages not removed", error);
          }
          resolve();
        });
        run();
      });
    },
    async settled() {
      await running;
    },
  };
}
