/**
 * The row of a list that is open in the drawer. The address names it, so that a reload, the browser's Back and a link that somebody sends show
 * it (docs/session.md#lists). What a person may read is the server's decision.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { idOf } from "../../state/row-id.ts";
import { useArrivals } from "../../state/row-pages.ts";
import type { Rows } from "../../state/useRows.ts";
import { addressNow } from "./address.ts";
import {
  afterStep,
  atAddress,
  indexOfOpened,
  isOver,
  type Kept,
  named,
  opened as openedAt,
  rowIn,
  stateOver,
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

/**
 * Shows the row or, for null, closes it.
 *
 * @param then follows the close: the browser may have to go back first, and what navigates meanwhile would be what it goes back from
 */
export type ShowRow = (index: number | null, then?: () => void) => void;

/** @param find reads one row by its id, wherever it is in the list */
export function useOpenRow<T>(
  rows: Rows<T>,
  pages: Pages,
  find: ((id: string) => Promise<T>) | undefined,
): { readonly open: OpenRow<T> | null; readonly show: ShowRow } {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const asked = rowIn(search);
  const [{ opened }, setKept] = useState<Kept>({ opened: named(asked), own: null });
  useLayoutEffect(() => {
    // Not while React renders: an update of a render that it drops reaches what later updates begin with.
    // oxlint-disable-next-line react/set-state-in-effect -- the address is the browser's, and a link changes it
    if (asked === rowIn(addressNow().search)) setKept((now) => atAddress(now, asked));
  }, [asked]);
  useArrivals(rows.arrivals, opened === null ? null : "all");
  const index = opened === null ? null : indexOfOpened(rows, opened);
  const row = index === null ? undefined : rows.row(index);
  const missing = opened !== null && index === null && rows.state === "ready" ? opened.id : null;
  const found = useFound(find, missing);
  const go = (wanted: string): void => {
    const now = addressNow();
    // one step back leads to the list, however many rows were looked at
    const how =
      rowIn(now.search) === null
        ? { state: stateOver(now.state, now.search) }
        : { replace: true, state: now.state };
    void navigate({ pathname, search: wanted, hash }, how);
  };
  const late = opened?.id === null && row !== undefined ? idOf(row) : null;
  /** What follows the step back that is on its way; null: none is. */
  const afterBack = useRef<(() => void)[] | null>(null);
  const goBack = (then: () => void): void => {
    afterBack.current = [then];
    const arrived = (): void => {
      const steps = afterBack.current ?? [];
      afterBack.current = null;
      setKept((now) => ({ ...now, own: null }));
      for (const step of steps) step();
    };
    addEventListener("popstate", arrived, { once: true });
    void navigate(-1);
  };
  const show: ShowRow = (next, then = () => undefined) => {
    if (afterBack.current !== null) {
      // Escape reaches the drawer by two ways. A row that is opened meanwhile would be what the browser goes back from.
      afterBack.current.push(next === null ? then : () => latest.current.show(next));
      return;
    }
    const now = addressNow();
    if (next === null) {
      const closed = rowIn(now.search);
      if (closed !== null && isOver(now.state, now.search)) {
        setKept({ opened: null, own: closed });
        goBack(then);
        return;
      }
      setKept({ opened: null, own: null });
      if (closed !== null) go(withRow(now.search, null));
      then();
      return;
    }
    const wanted = openedAt(rows, next);
    setKept({ opened: wanted, own: wanted.id ?? rowIn(now.search) });
    const page = Math.floor(next / pages.size) + 1;
    if (wanted.id !== null) {
      go(withRow(pages.scrolls ? now.search : withPage(now.search, page), wanted.id));
    } else if (!pages.scrolls) pages.go(page);
  };
  useEffect(() => {
    // The browser's Back right after a click comes before React has rendered the address of the row, so that no address changes for it.
    const onPopState = (): void => {
      if (afterBack.current !== null || !location.pathname.endsWith(pathname)) return;
      const there = rowIn(addressNow().search);
      setKept((now) => afterStep(now, there));
    };
    addEventListener("popstate", onPopState);
    return () => removeEventListener("popstate", onPopState);
  }, [pathname]);
  const latest = useRef({ go, show });
  useEffect(() => {
    latest.current = { go, show };
  });
  useEffect(() => {
    // the row of another page is loaded
    if (late !== null) latest.current.go(withRow(addressNow().search, late));
  }, [late, latest]);
  return {
    open:
      opened === null
        ? null
        : index !== null
          ? { index, row, state: row === undefined ? "loading" : "ready", error: null }
          : rows.state === "ready"
            ? found
            : { index, row, state: "loading", error: null },
    show,
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
