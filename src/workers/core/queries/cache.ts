/**
 * Answers of reads that tabs watch, one entry per call, input and company (docs/session.md#live-data). All tabs share the entry and
 * its one request. An entry lives as long as somebody watches it or its request runs.
 */
import { passes, pauseAfter, REPORTED_AFTER } from "../../../shared/domain/retries.ts";
import { AppError } from "../../../shared/errors.ts";
import type { DataChange } from "../../../shared/protocol/data-tags.ts";
import { isTouched, type RestCall } from "../../../shared/protocol/rest/index.ts";
import type { WatchAnswer } from "../../../shared/protocol/watch-port.ts";
import type { CoreEnv, Http, Timer } from "../contracts.ts";

/** ms for which the answer of a watched read is given to further watchers without a request. */
export const FRESH_MS = 30_000;
/** The fewest ms between two requests of one read that follow the changes of a long work. */
export const STEADY_MS = 2_000;
/** On a busy server they are further apart: so many times what the last answer took, so that it has time for other work. */
export const STEADY_TIMES = 4;

export interface QueryInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}
export interface Watch {
  /** Fetches the answer again, and every other watched one that failed: a page that reads several things has one button for all. */
  again(): void;
  end(): void;
}

export interface Queries {
  /** Calls `onAnswer` now and with every change of the answer. */
  watch(call: RestCall, input: QueryInput, onAnswer: (answer: WatchAnswer) => void): Watch;
  /** The answer, from a running request or a fresh watched entry when there is one. Rejects with AppError. */
  read(call: RestCall, input: QueryInput): Promise<unknown>;
  /** Watched reads that show what changed are fetched again. @param company null: in every company */
  changed(change: DataChange, company: string | null): void;
  /** Fetches every watched read again, because changes may have been missed. */
  missed(): void;
  /** Forgets everything; the watches get nothing more. */
  clear(): void;
  /** Numbers of entries and of watchers. */
  size(): { readonly entries: number; readonly watchers: number };
}

export interface QueriesDeps {
  readonly env: Pick<CoreEnv, "clock">;
  readonly http: Pick<Http, "call">;
  /** The company that the session is in. */
  readonly company: () => string | null;
  readonly loggedOut: () => boolean;
  /** Called with every answer of the server. */
  readonly onAnswer: (call: RestCall, answer: unknown) => void;
}

interface Entry {
  readonly key: string;
  readonly call: RestCall;
  readonly input: QueryInput;
  readonly company: string | null;
  readonly watchers: Set<(answer: WatchAnswer) => void>;
  answer: WatchAnswer;
  /** The data changed after the last request began. */
  outdated: boolean;
  running: Promise<unknown> | null;
  /** The request that follows the running one. */
  next: Promise<unknown> | null;
  /** When the last request began, ms since the epoch. */
  began: number;
  /** ms that the last request took. */
  took: number;
  /** The request that follows a change of a long work. */
  later: Timer | null;
  /** Failed attempts since the last success. */
  tries: number;
  retry: Timer | null;
}

const LOADING: WatchAnswer = { state: "loading", data: null, error: null, at: null };

/** JSON with sorted keys, so that equal inputs have equal keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

export function createQueries(deps: QueriesDeps): Queries {
  const { clock } = deps.env;
  const entries = new Map<string, Entry>();

  const entryOf = (call: RestCall, input: QueryInput): Entry => {
    const company = deps.company();
    const key = canonical([company, call.id, input]);
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = {
        key,
        call,
        input,
        company,
        watchers: new Set(),
        answer: LOADING,
        outdated: false,
        running: null,
        next: null,
        began: -Infinity,
        took: 0,
        later: null,
        tries: 0,
        retry: null,
      };
      entries.set(key, entry);
    }
    return entry;
  };
  const cancelTimers = (entry: Entry): void => {
    entry.retry?.cancel();
    entry.later?.cancel();
    entry.retry = entry.later = null;
  };

  const dropUnused = (entry: Entry): void => {
    if (entry.watchers.size > 0 || entry.running !== null) return;
    cancelTimers(entry);
    if (entries.get(entry.key) === entry) entries.delete(entry.key);
  };
  const answerWatchers = (entry: Entry, answer: WatchAnswer): void => {
    entry.answer = answer;
    for (const watcher of entry.watchers) watcher(answer);
  };

  const failed = (entry: Entry, thrown: unknown): void => {
    const error = AppError.from(thrown);
    const temporary = passes(error, deps.loggedOut());
    if (!temporary || entry.tries >= REPORTED_AFTER) {
      const state = entry.answer.at === null ? "failed" : "ready";
      answerWatchers(entry, { ...entry.answer, state, error: error.toWire() });
    }
    if (temporary && entry.watchers.size > 0 && entries.get(entry.key) === entry) {
      entry.retry = clock.after(pauseAfter(entry.tries), () => refetch(entry));
    }
    entry.tries += 1;
  };
  const run = async (entry: Entry): Promise<unknown> => {
    const { call, input, company } = entry;
    try {
      const data: unknown = await deps.http.call(call, input, { supplierId: company });
      entry.running = null;
      entry.tries = 0;
      if (entries.get(entry.key) === entry) deps.onAnswer(call, data);
      answerWatchers(entry, { state: "ready", data, error: null, at: clock.now() });
      return data;
    } catch (error) {
      entry.running = null;
      failed(entry, error);
      throw error;
    } finally {
      entry.took = clock.now() - entry.began;
      dropUnused(entry);
    }
  };
  /** One request at a time. A change during a request leads to exactly one more. */
  const load = (entry: Entry): Promise<unknown> => {
    const { running } = entry;
    if (running === null) {
      cancelTimers(entry);
      entry.outdated = false;
      entry.began = clock.now();
      entry.running = run(entry);
      return entry.running;
    }
    if (!entry.outdated) return running;
    const follow = (): Promise<unknown> => {
      entry.next = null;
      return load(entry);
    };
    entry.next ??= running.then(follow, follow);
    return entry.next;
  };
  /** A failure is in the answer. */
  const refetch = (entry: Entry): void => void load(entry).catch(() => undefined);
  const isFresh = ({ answer, outdated, watchers }: Entry): boolean =>
    watchers.size > 0 &&
    !outdated &&
    answer.error === null &&
    answer.at !== null &&
    clock.now() - answer.at < FRESH_MS;
  /** A person asks again, and sees at once that this does something. */
  const ask = (entry: Entry): void => {
    if (entry.answer.state === "failed") answerWatchers(entry, LOADING);
    refetch(entry);
  };
  /** A long work changes the data many times a second; the last change is always followed by a request. */
  const refetchLater = (entry: Entry): void => {
    const pause = Math.max(STEADY_MS, STEADY_TIMES * entry.took);
    const wait = entry.began + pause - clock.now();
    if (wait <= 0) return refetch(entry);
    entry.later ??= clock.after(wait, () => {
      entry.later = null;
      refetch(entry);
    });
  };

  const renew = (which: (entry: Entry) => boolean, fetchAgain = refetch): void => {
    for (const entry of Array.from(entries.values()).filter(which)) {
      entry.outdated = true;
      if (entry.watchers.size > 0) fetchAgain(entry);
    }
  };

  return {
    watch(call, input, onAnswer) {
      const entry = entryOf(call, input);
      const fresh = isFresh(entry);
      // every watch is a watcher of its own, even when two share a function
      const watcher = (answer: WatchAnswer): void => onAnswer(answer);
      entry.watchers.add(watcher);
      watcher(entry.answer);
      if (!fresh) refetch(entry);
      return {
        again() {
          if (!entry.watchers.has(watcher)) return;
          // also those whose failures are too few to be reported
          renew((one) => one === entry || one.tries > 0, ask);
        },
        end() {
          entry.watchers.delete(watcher);
          dropUnused(entry);
        },
      };
    },
    read(call, input) {
      const entry = entryOf(call, input);
      return isFresh(entry) ? Promise.resolve(entry.answer.data) : load(entry);
    },
    changed: (change, company) =>
      renew(
        (entry) =>
          (company === null || entry.company === company) &&
          isTouched(entry.call, entry.input, change),
        change.steady === true ? refetchLater : refetch,
      ),
    missed: () => renew(() => true),
    clear() {
      for (const entry of entries.values()) {
        entry.watchers.clear();
        cancelTimers(entry);
      }
      entries.clear();
    },
    size: () => ({
      entries: entries.size,
      watchers: Array.from(entries.values()).reduce((sum, one) => sum + one.watchers.size, 0),
    }),
  };
}
