/**
 * Saves files by the queue of downloads in the core (docs/session.md#downloads). The core fetches; a tab saves what it has fetched. A tab
 * begins its downloads again when the core dies, and a visible one saves for a tab that is gone or hidden.
 */
import { subscribe } from "valtio/vanilla";
import type { CoreClient } from "../../core-client/contracts.ts";
import { AppError } from "../../shared/errors.ts";
import type { DownloadSource } from "../../shared/protocol/commands/downloads.ts";
import type { DownloadInput, DownloadCallId } from "../../shared/protocol/rest/page-calls.ts";

/** ms in which the tab that began a download saves it before another one does. */
const OWN_TURN = 1_500;

type Source<I extends DownloadCallId> =
  | Exclude<DownloadSource, { readonly kind: "call" }>
  | (DownloadInput<I> & { readonly kind: "call" });

export interface Downloads {
  /** Resolves when the file was saved, when somebody ended the download, or when it failed. A failure is shown to the person. */
  save<I extends DownloadCallId>(name: string, source: Source<I>): Promise<void>;
  dispose(): void;
}

interface Begun {
  readonly name: string;
  readonly source: DownloadSource;
  /** The core in which its entry was seen, by number; null: in none yet. */
  seenIn: number | null;
  failed: boolean;
  readonly over: () => void;
}

export function createDownloads(deps: {
  readonly core: Pick<CoreClient, "commands" | "connection" | "state" | "tabId">;
  readonly save: (file: Blob, name: string) => void;
  readonly fail: (error: unknown) => void;
  readonly newId: () => string;
  readonly isVisible: () => boolean;
  readonly after: (ms: number, run: () => void) => { cancel(): void };
}): Downloads {
  const { core } = deps;
  const { downloads } = core.commands;
  /** Those that this tab began, by key. */
  const begun = new Map<string, Begun>();
  /** Those that this tab is saving, or will save when their own tab does not. */
  const collecting = new Map<string, { cancel(): void } | null>();
  /** Counts the cores that this tab has had. */
  let generation = 0;
  let isConnected = core.connection.state === "ready";

  const end = (key: string): void => {
    begun.get(key)?.over();
    begun.delete(key);
  };
  const begin = (key: string, { name, source }: Begun): void => {
    downloads.start({ key, name, source }).catch((error: unknown) => {
      if (!begun.has(key)) return;
      deps.fail(error);
      end(key);
    });
  };
  const collect = async (key: string, name: string): Promise<void> => {
    collecting.set(key, null);
    try {
      const file = await downloads.collect({ key });
      if (file !== null) deps.save(file, name);
      end(key);
    } catch (error) {
      // The next core has no file; the tab that began it begins again.
      if (begun.get(key)?.seenIn === generation) {
        deps.fail(error);
        end(key);
      }
    } finally {
      collecting.delete(key);
    }
  };
  const follow = (): void => {
    const { byKey } = core.state.downloads;
    for (const [key, one] of begun) {
      const entry = byKey[key];
      if (entry === undefined) {
        if (one.seenIn === generation && !collecting.has(key)) end(key);
        continue;
      }
      one.seenIn = generation;
      if (entry.state !== "failed") one.failed = false;
      else if (!one.failed) {
        one.failed = true;
        one.over();
        if (entry.error !== null) deps.fail(AppError.fromWire(entry.error));
      }
    }
    for (const [key, { state, name, tabId }] of Object.entries(byKey)) {
      if (state !== "done" || collecting.has(key)) continue;
      if (tabId === core.tabId) void collect(key, name);
      else if (deps.isVisible()) {
        const later = (): void => {
          collecting.delete(key);
          if (core.state.downloads.byKey[key]?.state === "done") void collect(key, name);
        };
        collecting.set(key, deps.after(OWN_TURN, later));
      }
    }
  };
  const reconnect = (): void => {
    const now = core.connection.state === "ready";
    if (now === isConnected) return;
    isConnected = now;
    if (!now) {
      generation += 1;
      return;
    }
    for (const [key, one] of begun) if (!one.failed) begin(key, one);
  };
  const ends = [subscribe(core.state.downloads, follow), subscribe(core.connection, reconnect)];
  follow();

  return {
    save: (name, source) =>
      new Promise((resolve) => {
        const key = deps.newId();
        const one: Begun = { name, source, seenIn: null, failed: false, over: resolve };
        begun.set(key, one);
        begin(key, one);
      }),
    dispose() {
      for (const stop of ends) stop();
      for (const timer of collecting.values()) timer?.cancel();
      for (const key of begun.keys()) end(key);
    },
  };
}
