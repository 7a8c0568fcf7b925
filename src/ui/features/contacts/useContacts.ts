/**
 * Contacts by page and search word: one request at a time, the newest search wins. They are fetched again when people of the company
 * come or go.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { CONTACTS_PAGE_SIZE } from "../../../shared/domain/page-sizes.ts";
import type { Contact } from "../../../shared/protocol/rest/entities.ts";
import { useRead } from "../../state/useRead.ts";
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
  /** The query whose result is shown. Repeating this query replaces all pages that are shown. */
  const shown = useRef("");

  const fetchPages = useCallback(
    async (
      { from, upTo }: { readonly from: number; readonly upTo: number },
      word: string,
      thisRun: number,
      what: string,
    ): Promise<void> => {
      const found = new Map<string, Contact>();
      let all = 0;
      for (let page = from; page <= upTo; page += 1) {
        const answer = await core.commands.people.list({
          cursor: page,
          limit: CONTACTS_PAGE_SIZE,
          ...(word === "" ? {} : { keyword: word }),
        });
        if (run.current !== thisRun) return;
        for (const contact of answer.records) found.set(contact.userName, contact);
        all = answer.total;
      }
      shown.current = what;
      cursor.current = upTo;
      setTotal(all);
      setList((now) => [
        ...(from === 1 ? [] : now.filter(({ userName }) => !found.has(userName))),
        ...found.values(),
      ]);
      setState("ready");
    },
    [core],
  );

  const { changes, again } = useChanges();
  const word = keyword.trim();
  const what = `${supplierId ?? ""} ${word}`;
  const reachable = outage === null;
  useEffect(() => {
    if (!reachable) return;
    const thisRun = ++run.current;
    let end = (): void => {};
    const timer = setTimeout(
      () => {
        end = keepTrying(
          () => {
            const upTo = shown.current === what ? cursor.current : 1;
            return fetchPages({ from: 1, upTo }, word, thisRun, what);
          },
          () => {
            if (run.current === thisRun) setState("failed");
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
  }, [core, fetchPages, word, attempt, what, reachable, changes]);

  const more = useCallback(() => {
    const thisRun = run.current;
    setLoadingMore(true);
    const next = cursor.current + 1;
    fetchPages({ from: next, upTo: next }, word, thisRun, what)
      .catch(() => undefined)
      .finally(() => setLoadingMore(false));
  }, [fetchPages, word, what]);

  const retry = useCallback(() => {
    setState("loading");
    setAttempt((n) => n + 1);
    again();
  }, [again]);
  return { list, state, hasMore: list.length < total, loadingMore, more, retry };
}

/** Counts how often the people of the company have changed: its departments are read live, and count them. */
function useChanges(): { readonly changes: number; readonly again: () => void } {
  const { answer, again } = useRead({ call: "im.departments" });
  const { at } = answer;
  const [{ before, count }, setSeen] = useState({ before: at, count: 0 });
  if (at !== before && at !== null) setSeen({ before: at, count: before === null ? 0 : count + 1 });
  return { changes: count, again };
}
