/** What a path shows after the login: a page in the frame, or another path. */
import { useEffect, useMemo, useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { TakenPanel } from "../components/taken/Allowed.tsx";
import { LeaveGuard } from "../components/LeaveGuard.tsx";
import { MainLayout } from "../layout/MainLayout.tsx";
import { pagePath } from "../../shared/domain/tags.ts";
import { useSlice } from "../state/services.ts";
import { type Page, type PageSet, type Place, usePages, usePlace } from "../places/place.tsx";
import { RetryInfo } from "./RetryInfo.tsx";

/** ms after the frame appeared, when the first screen has what it needs. */
const LOAD_AHEAD = 5000;

/** @param loadAhead loads what must be there before it is needed */
function useLoadAhead(loadAhead: () => Promise<void>): void {
  useEffect(() => {
    // Otherwise it is loaded when it shows.
    const load = (): void => void loadAhead().catch(() => undefined);
    const timer = setTimeout(load, LOAD_AHEAD);
    return () => clearTimeout(timer);
  }, [loadAhead]);
}

/** An unknown path waits until the menus' routes are known, so that a reload keeps its page. */
function Unknown() {
  const { infoLoaded, isGuest } = useSlice("session");
  if (!infoLoaded && isGuest !== "1") return <RetryInfo />;
  return <Navigate replace to="/404" />;
}

/** A page that this tab shows, and that the menus no longer have, says so instead of being gone (docs/session.md#changed-rights). */
function useTaken(owner: string, pages: PageSet, place: Place, pathname: string) {
  const [seen, setSeen] = useState<{ readonly owner: string; readonly page: Page } | null>(null);
  const shown = place.type === "page" ? place.page : null;
  if (shown !== null && (seen?.owner !== owner || seen.page !== shown)) {
    setSeen({ owner, page: shown });
  }
  const gone =
    place.type === "outside" &&
    seen?.owner === owner &&
    pagePath(seen.page.path) === pagePath(pathname)
      ? seen.page
      : null;
  return useMemo(() => {
    if (gone === null) return { pages, place };
    const page: Page = {
      ...gone,
      noCache: true,
      element: <TakenPanel title={gone.title} />,
    };
    const set: PageSet = {
      list: [...pages.list, page],
      at: (path) => (pagePath(path) === pagePath(page.path) ? page : pages.at(path)),
    };
    return { pages: set, place: { type: "page", page } as const };
  }, [gone, pages, place]);
}

export default function FramePlaces({
  owner,
  loadAhead,
}: {
  readonly owner: string;
  /** Loads the page of a person who has lost the company: the person is out at once, in all tabs together. */
  readonly loadAhead: () => Promise<void>;
}) {
  const { pathname } = useLocation();
  useLoadAhead(loadAhead);
  const known = usePages();
  const { pages, place } = useTaken(owner, known, usePlace(known, pathname), pathname);
  if (place.type === "outside") return <Unknown />;
  // stays mounted while it redirects between its pages, so that kept pages stay
  return (
    <LeaveGuard>
      <MainLayout key={owner} owner={owner} pages={pages} place={place} />
    </LeaveGuard>
  );
}
