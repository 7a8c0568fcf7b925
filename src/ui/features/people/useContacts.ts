/** Contacts by page and search word: one request at a time, the newest search wins. */
import { useCallback, useEffect, useRef, useState } from "react";
import { CONTACTS_PAGE_SIZE } from "../../../shared/domain/page-sizes.ts";
import type { Contact } from "../../../shared/protocol/rest/entities.ts";
import { keepTrying } from "../../state/recover.ts";
import { useCore, useOutage, useSlice } from "../../state/services.ts";

/** ms without typing before a search starts. */
const SEARCH_DELAY = 250;

export interface Contacts {
  readonly list: readonly Contact[];
  readonly state: "loading" | "ready" | "failed";
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  more(): void;
  retry(): void;
}

export function useContacts(keyword: string): Contacts {
  const core = useCore();
  const outage = useOutage();
  const { supplierId } = useSlice("session");
  const [list, setList] = useState<readonly Contact[]>([]);
  const [total, setTotal] = useState(0);
  const [state, setState] = useState<Contacts["state"]>("loading");
  const [loadingMore, setLoadingMore] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const run = useRef(0);
  const cursor = useRef(1);
  /** The query whose result is shown. Repeating this query replaces only the first page of the list. */
  const shown = useRef("");

  const fetchPage = useCallback(
    async (page: number, word: string, mine: number, what: string): Promise<void> => {
      const answer = await core.commands.people.list({
        cursor: page,
        limit: CONTACTS_PAGE_SIZE,
        ...(word === "" ? {} : { keyword: word }),
      });
      if (run.current !== mine) return;
      const same = shown.current === what;
      shown.current = what;
      cursor.current = same ? Math.max(cursor.current, page) : page;
      setTotal(answer.total);
      setList((now) => {
        if (page === 1) {
          const first = new Set(answer.records.map((c) => c.userName));
          const later = same
            ? now.slice(CONTACTS_PAGE_SIZE).filter((c) => !first.has(c.userName))
            : [];
          return [...answer.records, ...later];
        }
        const known = new Set(now.map((c) => c.userName));
        return [...now, ...answer.records.filter((c) => !known.has(c.userName))];
      });
      setState("ready");
    },
    [core],
  );

  const word = keyword.trim();
  const what = `${supplierId ?? ""} ${word}`;
  const reachable = outage === null;
  useEffect(() => {
    if (!reachable) return;
    const mine = ++run.current;
    let end = (): void => {};
    const timer = setTimeout(
      () => {
        end = keepTrying(
          () => fetchPage(1, word, mine, what),
          () => {
            if (run.current === mine) setState("failed");
          },
          () => core.state.session.status === "anonymous",
        );
      },
      word === "" ? 0 : SEARCH_DELAY,
    );
    return () => {
      clearTimeout(timer);
      end();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a retry asks again
  }, [core, fetchPage, word, attempt, what, reachable]);

  const more = useCallback(() => {
    const mine = run.current;
    setLoadingMore(true);
    fetchPage(cursor.current + 1, word, mine, what)
      .catch(() => undefined)
      .finally(() => setLoadingMore(false));
  }, [fetchPage, word, what]);

  const retry = useCallback(() => {
    setState("loading");
    setAttempt((n) => n + 1);
  }, []);
  return { list, state, hasMore: list.length < total, loadingMore, more, retry };
}
