/**
 * Reads of the REST table for pages (docs/session.md#live-data): watched ones are shared by all tabs, and fetched again when their
 * data change. Token, tenant and outages are the core's business, so a page names the call and gets the answer.
 */
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { DataChange } from "../../../shared/protocol/data-tags.ts";
import { type RestCall, restCalls } from "../../../shared/protocol/rest/index.ts";
import type { CoreEnv, Http, Reach, Session, Stats, Tabs } from "../contracts.ts";
import { createQueries } from "./cache.ts";
import { createWatchPorts } from "./ports.ts";
import { noticeTouches } from "./touching.ts";

export interface PageReadsDeps<H extends Pick<Http, "call">> {
  readonly env: Pick<CoreEnv, "clock">;
  readonly http: H;
  readonly session: Pick<Session, "user" | "onUser">;
  readonly company: () => string | null;
  readonly loggedOut: () => boolean;
  /** Resolves when the session was read from storage; null: it was. */
  readonly settled: () => Promise<unknown> | null;
  readonly tabs: Pick<Tabs, "onLeave">;
  readonly stats: Pick<Stats, "error">;
  readonly reach: Pick<Reach, "onBack">;
  /** The calls that exist; only those with `page: true` are made. */
  readonly calls?: readonly RestCall[];
  readonly onAnswer: (call: RestCall, answer: unknown) => void;
  /** Called with every change, by whomever. @param company null: in every company */
  readonly onChanged?: (change: DataChange, company: string | null) => void;
}

export interface PageReads<H> {
  /** The http that the core's modules use: what they touch is fetched again where it is shown. */
  readonly http: H;
  readonly handlers: Handlers<"rest">;
  /** Other people changed data. @param company null: in every company */
  changed(change: DataChange, company: string | null): void;
  /** Changes by other people may have been missed. */
  missed(): void;
  /** Numbers of entries and of watchers. */
  size(): { readonly entries: number; readonly watchers: number };
  stop(): void;
}

export function createPageReads<H extends Pick<Http, "call">>(
  deps: PageReadsDeps<H>,
): PageReads<H> {
  const { calls = Object.values(restCalls), session } = deps;
  const open = new Map(calls.filter((call) => call.page === true).map((call) => [call.id, call]));
  const changed = (change: DataChange, company: string | null): void => {
    queries.changed(change, company);
    deps.onChanged?.(change, company);
  };
  const http = noticeTouches(deps.http, deps.company, changed);
  const queries = createQueries({ ...deps, http });
  const ports = createWatchPorts({
    ...deps,
    queries,
    find(id) {
      const call = open.get(id);
      return call?.shows === undefined ? undefined : call;
    },
  });
  let accountId = session.user()?.accountId ?? null;
  const ends = [
    session.onUser((user) => {
      const next = user?.accountId ?? null;
      // entries are named by company, so a company switch leaves nothing behind that could be shown
      if (next === null || (accountId !== null && accountId !== next)) queries.clear();
      accountId = next;
    }),
    deps.reach.onBack(() => queries.missed()),
  ];

  return {
    http,
    handlers: {
      async call({ call: id, ...input }) {
        const call = open.get(id);
        if (call === undefined) throw new AppError("core.bad-message", { details: { call: id } });
        if (call.shows !== undefined) return queries.read(call, input);
        const answer = await http.call(call, input);
        deps.onAnswer(call, answer);
        return answer;
      },
      watch({ port }, { tabId }) {
        ports.connect(tabId, port);
        return Promise.resolve(null);
      },
    },
    changed,
    missed: queries.missed,
    size: queries.size,
    stop() {
      for (const end of ends) end();
      ports.stop();
      queries.clear();
    },
  };
}
