/** Titles that pages give themselves, such as the name of what they show. They stay over a reload, for the tags (docs/session.md#frame). */
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router-dom";
import { pagePath } from "../../shared/domain/tags.ts";
import { z } from "../../shared/zod.ts";
import { readSession, writeSession } from "../storage.ts";

const KEY = "pageTitles";
/** Most titles that are kept; the oldest go first. */
const MOST = 200;
const storedSchema = z.object({ owner: z.string(), titles: z.record(z.string(), z.string()) });

export interface PageTitles {
  /** By path. */
  readonly titles: Readonly<Record<string, string>>;
  give(path: string, title: string): void;
}

export const PageTitlesContext = createContext<PageTitles>({ titles: {}, give: () => undefined });

function restored(owner: string): Readonly<Record<string, string>> {
  const stored = storedSchema.safeParse(readSession(KEY));
  return stored.success && stored.data.owner === owner ? stored.data.titles : {};
}

/** @param owner the person and company; titles of another owner are never shown */
export function usePageTitles(owner: string): PageTitles {
  const [titles, setTitles] = useState(() => restored(owner));
  const give = useCallback((path: string, title: string) => {
    setTitles((now) =>
      now[path] === title
        ? now
        : Object.fromEntries([...Object.entries(now).slice(1 - MOST), [path, title]]),
    );
  }, []);
  useEffect(() => writeSession(KEY, { owner, titles }), [owner, titles]);
  return useMemo(() => ({ titles, give }), [titles, give]);
}

/** Gives the page at the present address a title. @param title null: nothing is known yet */
export function useGivenTitle(title: string | null): void {
  const { give } = useContext(PageTitlesContext);
  const { pathname } = useLocation();
  useEffect(() => {
    if (title !== null && title !== "") give(pagePath(pathname), title);
  }, [give, pathname, title]);
}
