/** Resolves a path to a page of the frame, a redirect, or a page outside the frame. */
import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { pagePath } from "../../shared/domain/tags.ts";
import { BuildingPage } from "../features/fallback/pages.tsx";
import { useMenus } from "../state/menus.ts";
import { Dashboard, VIEWS } from "./views.ts";

export interface Page {
  readonly path: string;
  readonly title: string;
  readonly affix: boolean;
  /** Not kept while another page is shown. */
  readonly noCache: boolean;
  /** The page fills the area and scrolls inside itself. */
  readonly fixed: boolean;
  readonly element: ReactNode;
}

export type Place =
  | { readonly type: "page"; readonly page: Page }
  /** `refresh`: the page at the target must be mounted again. */
  | { readonly type: "redirect"; readonly to: string; readonly refresh: Page | null }
  | { readonly type: "outside" };

const REDIRECT = "/redirect/";
const IMPORT_PATHS = ["/DataBatchImport/index", "/DataBatchImport2/index"] as const;

/** All pages of the frame: static ones, then those of the person's menus. */
export function usePages(): readonly Page[] {
  const { t } = useTranslation();
  const menus = useMenus();
  const home = t("dashboard.title");
  const importing = t("imports.title");
  return useMemo(() => {
    const ofMenus = menus.routes.map(({ path, view, title, affix, noCache }) => {
      const entry = VIEWS[view];
      const element = entry === undefined ? <BuildingPage title={title} /> : <entry.view />;
      return { path, title, affix, noCache, fixed: entry?.fixed === true, element };
    });
    // static pages (docs/session.md#static-routes) are there whatever the menus say; a menu's title goes before
    const others = IMPORT_PATHS.flatMap((path) => {
      const entry = VIEWS[path.slice(1)];
      if (entry === undefined || ofMenus.some((page) => page.path === path)) return [];
      return [
        {
          path,
          title: importing,
          affix: false,
          noCache: true,
          fixed: false,
          element: <entry.view />,
        },
      ];
    });
    return [
      {
        path: "/dashboard",
        title: home,
        affix: true,
        noCache: false,
        fixed: false,
        element: <Dashboard />,
      },
      ...ofMenus,
      ...others,
    ];
  }, [menus, home, importing]);
}

export function usePlace(pages: readonly Page[], pathname: string): Place {
  const { redirects } = useMenus();
  return useMemo(() => {
    const find = (path: string): Page | undefined =>
      pages.find((page) => pagePath(page.path) === pagePath(path));
    const page = find(pathname);
    if (page !== undefined) return { type: "page", page };
    if (pathname === "/") return { type: "redirect", to: "/dashboard", refresh: null };
    if (pathname.startsWith(REDIRECT)) {
      // a second slash would name another host
      const to = `/${pathname.slice(REDIRECT.length).replace(/^\/+/, "")}`;
      return { type: "redirect", to, refresh: find(to) ?? null };
    }
    const container = redirects.find(({ path }) => pagePath(path) === pagePath(pathname));
    if (container !== undefined) return { type: "redirect", to: container.to, refresh: null };
    return { type: "outside" };
  }, [pages, redirects, pathname]);
}
