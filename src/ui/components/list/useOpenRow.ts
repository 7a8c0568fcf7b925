/**
 * The row of a list that is open in the drawer. The address names it, so that a reload, the browser's Back and a link that somebody sends show
 * it (docs/session.md#lists). What a person may read is the server's decision.
 */
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { Rows } from "../../state/useRows.ts";
import {
  idOf,
  indexOfOpened,
  type Opened,
  opened as openedAt,
  rowIn,
  withRow,
} from "./openedRow.ts";
import { type Pages, withPage } from "./usePages.ts";

export interface OpenRow<T> {
  /** Its place in the list; null when it is not among the rows that are shown. */
  readonly index: number | null;
  /** undefined while it is loaded, and when it was not found. */
  readonly row: T | undefined;
  readonly state: "loading" | "ready" | "gone";
  /** Why it could not be read; null when it does not exist or is not among the rows. */
  readonly error: unknown;
}

const named = (id: string | null): Opened | null => (id === null ? null : { index: null, id });

/** @param find reads one row by its id, wherever it is in the list */
export function useOpenRow<T>(
  rows: Rows<T>,
  pages: Pages,
  find: ((id: string) => Promise<T>) | undefined,
): { readonly open: OpenRow<T> | null; readonly show: (index: number | null) => void } {
  const location = useLocation();
  const navigate = useNavigate();
  const asked = rowIn(location.search);
  const [kept, setKept] = useState({ asked, opened: named(asked) });
  if (kept.asked !== asked) {
    // the browser's Back, a link, or the row that was just opened
    setKept({ asked, opened: kept.opened?.id === asked ? kept.opened : named(asked) });
  }
  const { opened } = kept;
  const index = opened === null ? null : indexOfOpened(rows, opened);
  const row = index === null ? undefined : rows.row(index);
  const missing = opened !== null && index === null && rows.state === "ready" ? opened.id : null;
  const found = useFound(find, missing);
  const go = (search: string): void => {
    const { pathname, hash, state } = location;
    // one step back leads to the list, however many rows were looked at
    void navigate({ pathname, search, hash }, { replace: asked !== null, state });
  };
  const late = opened?.id === null && row !== undefined ? idOf(row) : null;
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    // the row of another page is loaded
    if (late !== null) latest.current(withRow(location.search, late));
  }, [late, location.search, latest]);
  return {
    open:
      opened === null
        ? null
        : index !== null
          ? { index, row, state: row === undefined ? "loading" : "ready", error: null }
          : rows.state === "ready"
            ? found
            : { index, row, state: "loading", error: null },
    show(next) {
      const { search } = location;
      if (next === null) {
        setKept({ asked, opened: null });
        if (asked !== null) go(withRow(search, null));
        return;
      }
      const now = openedAt(rows, next);
      setKept({ asked, opened: now });
      const page = Math.floor(next / pages.size) + 1;
      if (now.id !== null) go(withRow(pages.scrolls ? search : withPage(search, page), now.id));
      else if (!pages.scrolls) pages.go(page);
    },
  };
}

/** @param id of a row that is not among those that are loaded */
function useFound<T>(
  find: ((id: string) => Promise<T>) | undefined,
  id: string | null,
): OpenRow<T> {
  const [found, setFound] = useState<(OpenRow<T> & { readonly id: string }) | null>(null);
  const latest = useRef(find);
  useEffect(() => {
    latest.current = find;
  });
  const finds = find !== undefined;
  useEffect(() => {
    if (id === null || !finds) return;
    let live = true;
    const answer = { id, index: null, row: undefined, error: null } as const;
    latest.current?.(id).then(
      (row) => live && setFound({ ...answer, row, state: "ready" }),
      (error: unknown) => live && setFound({ ...answer, state: "gone", error }),
    );
    return () => {
      live = false;
    };
  }, [id, finds, latest]);
  if (!finds) return { index: null, row: undefined, state: "gone", error: null };
  if (found === null || found.id !== id) {
    return { index: null, row: undefined, state: "loading", error: null };
  }
  return found;
}
