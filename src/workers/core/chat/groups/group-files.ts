/**
 * The commands about files of groups (docs/chat.md#shared-files). The tab holds the file, so what is under way is lost with the tab; a large
 * file goes on after an outage and in the next core.
 */
import { reconnectDelay } from "../../../../shared/domain/backoff.ts";
import { CHAT_FILE_MAX, RESUMABLE_FROM } from "../../../../shared/domain/chat-files.ts";
import { AppError } from "../../../../shared/errors.ts";
import type { Handlers } from "../../../../shared/protocol/core-rpc.ts";
import type { CoreEnv, Store } from "../../contracts.ts";
import type { ReadGroupFile } from "../../downloads/sources.ts";
import { TAKEN_BACK } from "../../parts/index.ts";
import { watchStall } from "../../transfers/stall.ts";
import { within } from "../provider/deadline.ts";
import { FAILURE, isTransport, refusalCode, toGroupError } from "../provider/failures.ts";
import {
  ChatFailure,
  type ChatConnection,
  type GroupFileCalls,
  type Upload,
} from "../provider/port.ts";
import { chatResumePoint } from "../provider/resumable-upload.ts";

/** ms that a call without a file may take. */
const DEADLINE = 15_000;
/** Attempts to send the parts of one file; the pauses grow to 8 s. */
const MOST_TRIES = 60;
/** ms between two reports of progress. */
const REPORT_EVERY = 100;

export interface GroupFiles {
  readonly handlers: Pick<Handlers<"group">, "files" | "shareFile" | "cancelFile" | "removeFile">;
  readonly read: ReadGroupFile;
  /** Ends what is under way. */
  clear(): void;
}

function toFileError(error: unknown): AppError {
  if (!(error instanceof ChatFailure)) return toGroupError(error);
  if (error.type === FAILURE.fileGone) return new AppError("request.not-found");
  return error.type === FAILURE.fileRefused
    ? new AppError(refusalCode(error))
    : toGroupError(error);
}

export function createGroupFiles(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "online" | "random">;
  readonly store: Pick<Store, "get" | "set" | "del">;
  readonly connection: () => ChatConnection | null;
  /** Own user name once the chat is there. @throws AppError */
  readonly self: () => Promise<string>;
  /** The display name; the user name while it is unknown. */
  readonly nameOf: (userName: string) => string;
  /** The files of a group have changed: the tabs read them again. */
  readonly onChanged: (groupId: string) => void;
}): GroupFiles {
  const { env, store } = deps;
  const running = new Map<string, AbortController>();

  const ask = async <T>(run: (calls: GroupFileCalls) => Promise<T>): Promise<T> => {
    await deps.self();
    const connection = deps.connection();
    if (connection === null) throw new AppError("chat.not-connected");
    try {
      return await run(connection.groupFiles);
    } catch (error) {
      throw toFileError(error);
    }
  };
  const pause = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = env.clock.after(ms, resolve);
      signal.addEventListener("abort", () => {
        timer.cancel();
        resolve();
      });
    });
  /** Sends a large file in parts, through outages. @returns its id; null: the file goes in one piece */
  const sendParts = async (
    upload: Pick<Upload, "file" | "onProgress" | "signal" | "resume">,
  ): Promise<string | null> => {
    for (let tries = 1; ; tries += 1) {
      const stall = watchStall(env, upload.signal);
      const onProgress = (share: number): void => {
        stall.moved();
        upload.onProgress(share);
      };
      try {
        const calls = deps.connection()?.groupFiles;
        if (calls === undefined) throw new ChatFailure(FAILURE.disconnected, "no connection");
        return await calls.sendParts({ ...upload, onProgress, signal: stall.signal });
      } catch (error) {
        const lost = error instanceof ChatFailure && isTransport(error.type);
        if (!lost || upload.signal.aborted || tries > MOST_TRIES) throw toFileError(error);
        await pause(reconnectDelay(tries, env.random()), upload.signal);
        if (upload.signal.aborted) throw toFileError(error);
      } finally {
        stall.end();
      }
    }
  };
  const sendLarge = async (
    upload: Pick<Upload, "file" | "onProgress" | "signal">,
    key: string,
  ): Promise<string | null> => {
    if (upload.file.size <= RESUMABLE_FROM) return null;
    const resume = chatResumePoint(env.kv, await deps.self(), key);
    try {
      return await sendParts({ ...upload, resume });
    } finally {
      // The resume point is only for the next core, which continues the upload when this core dies.
      await resume.write(null);
    }
  };
  const show = (key: string, share: number | null): void => {
    if (share !== null) store.set(["chat", "uploads", key], share);
    else if (Object.hasOwn(store.get("chat").uploads, key)) store.del(["chat", "uploads", key]);
  };

  return {
    handlers: {
      async files({ groupId }) {
        const found = await ask((calls) => within(env.clock, DEADLINE, () => calls.list(groupId)));
        return found.map((file) => ({ ...file, ownerName: deps.nameOf(file.owner) }));
      },
      async shareFile({ groupId, file, name, key }) {
        if (file.size === 0) throw new AppError("file.empty");
        if (file.size > CHAT_FILE_MAX) throw new AppError("file.too-large");
        if (running.has(key)) throw new AppError("request.conflict");
        const control = new AbortController();
        running.set(key, control);
        let reportedAt = Number.NEGATIVE_INFINITY;
        const onProgress = (share: number): void => {
          const now = env.clock.now();
          if (control.signal.aborted || now - reportedAt < REPORT_EVERY) return;
          reportedAt = now;
          show(key, Math.min(1, Math.max(0, share)));
        };
        onProgress(0);
        const { signal } = control;
        try {
          const uploaded = await sendLarge({ file, onProgress, signal }, key);
          await ask((calls) =>
            calls
              .share(groupId, { name, file, uploaded, onProgress, signal })
              .catch((refused: unknown) => {
                const muted = refused instanceof ChatFailure && refused.type === FAILURE.notAllowed;
                // Every member may share, except while muted.
                throw muted ? new AppError("chat.muted") : refused;
              }),
          );
        } catch (error) {
          if (control.signal.aborted) return false;
          throw error;
        } finally {
          running.delete(key);
          show(key, null);
        }
        deps.onChanged(groupId);
        return true;
      },
      cancelFile({ key }) {
        running.get(key)?.abort(TAKEN_BACK);
        return Promise.resolve(null);
      },
      async removeFile({ groupId, fileId }) {
        await ask((calls) => within(env.clock, DEADLINE, () => calls.remove(groupId, fileId)));
        deps.onChanged(groupId);
        return null;
      },
    },
    read: ({ groupId, fileId }, options) => ask((calls) => calls.read(groupId, fileId, options)),
    clear() {
      for (const control of running.values()) control.abort();
    },
  };
}
