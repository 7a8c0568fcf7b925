/**
 * Which rows of a list are shown: a page of them, or all by scrolling. The person's choice of size and kind is a preference for all lists;
 * the number of the page is in the address, so that a reload shows it again (docs/session.md#lists).
 */
import { useCallback, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import {
  DEFAULT_PAGE_SIZE,
  isPageSize,
  pageAfterResize,
  pageCount,
  type PageSize,
} from "../../../shared/domain/page-sizes.ts";
import { z } from "../../../shared/zod.ts";
import { usePreference } from "../../state/usePreference.ts";
import { addressNow } from "./address.ts";

/** Name of the page in the address. */
const PARAM = "page";

const shownSchema = z.object({
  size: z.custom<PageSize>(isPageSize),
  /** Pages, or all rows by scrolling. */
  by: z.enum(["pages", "scrolling"]),
});
type Shown = z.infer<typeof shownSchema>;
const FIRST: Shown = { size: DEFAULT_PAGE_SIZE, by: "pages" };
const read = (kept: unknown): Shown => shownSchema.safeParse(kept).data ?? FIRST;

/** The size of pages that the person has chosen for all lists. */
export function usePageSize(): readonly [PageSize, (size: PageSize) => void] {
  const [shown, write] = usePreference("lists", read);
  return [shown.size, (size) => write({ ...shown, size })];
}

/** @returns the page of an address; 1 when there is none */
export function pageIn(search: string): number {
  const text = new URLSearchParams(search).get(PARAM) ?? "";
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

/** @returns the query of an address with another page */
export function withPage(search: string, page: number): string {
  const params = new URLSearchParams(search);
  if (page === 1) params.delete(PARAM);
  else params.set(PARAM, String(page));
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

export interface Pages {
  readonly size: PageSize;
  /** Whether the list scrolls through all rows instead. */
  readonly scrolls: boolean;
  /** Begins with 1; the last page when the list has become shorter. */
  page(total: number): number;
  /** Index of the first row of the page that is wanted, whatever the total is. */
  readonly from: number;
  go(page: number): void;
  resize(size: PageSize, total: number): void;
  setScrolls(scrolls: boolean): void;
}

export function usePages(): Pages {
  const [{ size, by }, write] = usePreference("lists", read);
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const asked = pageIn(search);
  const [kept, setKept] = useState({ asked, page: asked });
  // the browser's Back, or a link
  if (kept.asked !== asked) setKept({ asked, page: asked });
  const { page } = kept;
  const go = useCallback(
    (next: number): void => {
      setKept((now) => ({ ...now, page: next }));
      const now = addressNow();
      if (pageIn(now.search) === next) return;
      const { state } = now;
      void navigate(
        { pathname, search: withPage(now.search, next), hash },
        { replace: true, state },
      );
    },
    [pathname, hash, navigate],
  );
  const inList = (total: number): number => Math.min(page, pageCount(total, size));
  return {
    size,
    scrolls: by === "scrolling",
    page: inList,
    from: (page - 1) * size,
    go,
    resize(next, total) {
      write({ by, size: next });
      go(pageAfterResize(inList(total), size, next));
    },
    setScrolls(scrolls) {
      write({ size, by: scrolls ? "scrolling" : "pages" });
      go(1);
    },
  };
}
