/** Stores the outbox (docs/chat.md#outbox), one write at a time. */
import type { CoreEnv } from "../contracts.ts";
import type { LandedEntry, OutboxEntry } from "./outbox-entry.ts";

export const outboxKey = (me: string): string => `chat.outbox.${me}`;

/** What is stored, as it was when the write began. */
export interface OutboxContent {
  /** Whose outbox it is. */
  readonly me: string;
  readonly entries: readonly OutboxEntry[];
  readonly made: readonly (readonly [string, string])[];
  readonly landed: readonly LandedEntry[];
}

export interface OutboxWriter {
  /** Resolves once a write that began after this call has ended; calls meanwhile share the next one. Never rejects. */
  write(): Promise<void>;
  /** Resolves when the last write that began has ended. */
  settled(): Promise<void>;
}

/**
 * @param deps.content copies what is to be stored; null while no account's outbox is loaded
 * @param deps.onWritten the write of this content has ended, whether it succeeded or not
 */
export function createOutboxWriter(deps: {
  readonly env: Pick<CoreEnv, "kv" | "log">;
  readonly content: () => OutboxContent | null;
  readonly onWritten: (content: OutboxContent) => void;
}): OutboxWriter {
  const { env } = deps;
  const waiting: (() => void)[] = [];
  let writing = false;
  let lastWrite: Promise<void> = Promise.resolve();

  const writeAll = async (): Promise<void> => {
    writing = true;
    for (;;) {
      const served = waiting.splice(0);
      const content = served.length === 0 ? null : deps.content();
      if (content === null) {
        for (const done of served) done();
        break;
      }
      const { me, ...stored } = content;
      try {
        const write = env.kv.set(outboxKey(me), stored);
        lastWrite = write.catch(() => undefined);
        await write;
      } catch (error) {
        // a full or broken disk must not stop the chat: send the message although it would not survive this core
        env.log(
          "chat",
          "error",
          `outbox not written, ${error instanceof Error ? error.name : "error"}`,
        );
      }
      deps.onWritten(content);
      for (const done of served) done();
    }
    writing = false;
  };

  return {
    write: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (!writing) void writeAll();
      }),
    settled: () => lastWrite,
  };
}
