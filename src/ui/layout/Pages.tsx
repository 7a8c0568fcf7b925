/**
 * Keeps pages while another is shown: each has an Activity with the location at which it was left, so that input, scroll position
 * and open parts survive. Effects of a hidden page are undone until it is shown again; sockets and calls live in the core.
 */
import { Activity, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLocation, useNavigationType, useRoutes, type Location } from "react-router-dom";
import type { Tag } from "../../shared/domain/tags.ts";
import { ErrorBoundary } from "../features/fallback/ErrorBoundary.tsx";
import { isReturn } from "./returning.ts";
import { PageFallback } from "../loading/PageFallback.tsx";
import type { Page } from "../places/place.tsx";

interface Props {
  readonly pages: readonly Page[];
  /** null while redirecting. */
  readonly active: Page | null;
  readonly tags: readonly Tag[];
  /** How often each page was mounted again on request, by path. */
  readonly generations: Readonly<Record<string, number>>;
}

export function Pages({ pages, active, tags, generations }: Props) {
  const location = useLocation();
  const [kept, setKept] = useState<ReadonlyMap<string, Location>>(new Map());
  const broken = useRef(new Set<string>());
  if (active !== null && kept.get(active.path) !== location) {
    setKept(new Map(kept).set(active.path, location));
  }
  const shown = active?.path ?? null;
  useEffect(() => {
    const stays = ({ path, noCache }: Page): boolean =>
      !noCache && !broken.current.has(path) && tags.some((tag) => tag.path === path);
    setKept((now) => {
      const left = [...now].filter(
        ([path]) => path === shown || pages.some((page) => page.path === path && stays(page)),
      );
      return left.length === now.size ? now : new Map(left);
    });
    for (const path of broken.current) if (path !== shown) broken.current.delete(path);
  }, [pages, shown, tags]);

  return [...kept].map(([path, left]) => {
    const page = pages.find((one) => one.path === path);
    if (page === undefined) return null;
    return (
      <Activity
        key={`${path}:${generations[path] ?? 0}`}
        mode={path === shown ? "visible" : "hidden"}
      >
        <PageArea
          page={page}
          location={left}
          active={path === shown}
          onCrash={() => {
            broken.current.add(path);
          }}
        />
      </Activity>
    );
  });
}

function PageArea(props: {
  readonly page: Page;
  readonly location: Location;
  readonly active: boolean;
  readonly onCrash: () => void;
}) {
  const { page, location } = props;
  const area = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  const { active } = props;
  const type = useNavigationType();
  // a tag and the browser's Back restore the scroll position; any other navigation starts at the top (docs/deviations.md#scroll-position)
  const returns = useRef(true);
  useLayoutEffect(() => {
    returns.current = type === "POP" || isReturn(location.state);
  }, [type, location]);
  useLayoutEffect(() => {
    if (!active || area.current === null) return;
    if (!returns.current) top.current = 0;
    // not every browser keeps the scroll position of hidden content
    area.current.scrollTop = top.current;
  }, [active]);
  const routes = useMemo(
    () => [{ path: page.pattern ?? "*", element: page.element }],
    [page.pattern, page.element],
  );
  const content = useRoutes(routes, location);
  return (
    <div
      ref={area}
      className="page"
      // target of the link that skips the menus; arrow keys scroll the page from there
      id={props.active ? "main" : undefined}
      tabIndex={page.fixed ? -1 : 0}
      data-page={page.path}
      data-fixed={page.fixed}
      onScroll={(event) => {
        if (event.target === event.currentTarget) top.current = event.currentTarget.scrollTop;
      }}
    >
      <ErrorBoundary onCrash={props.onCrash}>
        <Suspense fallback={<PageFallback />}>{content}</Suspense>
      </ErrorBoundary>
    </div>
  );
}
