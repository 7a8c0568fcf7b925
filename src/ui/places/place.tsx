/** Resolves a path to a page of the frame, a redirect, or a page outside the frame (docs/session.md#static-routes). */
import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { pagePath } from "../../shared/domain/tags.ts";
import { BuildingPage } from "../features/fallback/pages.tsx";
import { texts, useTexts } from "../i18n/texts.ts";
import { useMenus } from "../state/menus.ts";
import { Dashboard, DictDataPage, ProfilePage, VIEWS } from "./views.ts";

export interface Page {
  readonly path: string;
  /** Pattern of a path with parameters, which the page reads by useParams. */
  readonly pattern?: string;
  /** Path of the menu entry that a page with parameters belongs to. */
  readonly below?: string;
  readonly title: string;
  readonly affix: boolean;
  /** Not kept while another page is shown. */
  readonly noCache: boolean;
  /** The page fills the area and scrolls inside itself. */
  readonly fixed: boolean;
  readonly element: ReactNode;
}

export interface PageSet {
  /** Pages whose paths are known before anybody visits them. */
  readonly list: readonly Page[];
  /** The page at a path, also one with parameters; undefined when there is none. */
  at(pathname: string): Page | undefined;
}

export type Place =
  | { readonly type: "page"; readonly page: Page }
  /** `refresh`: the page at the target must be mounted again. */
  | { readonly type: "redirect"; readonly to: string; readonly refresh: Page | null }
  | { readonly type: "outside" };

const REDIRECT = "/redirect/";
const PROFILE_PATH = "/profile/index";
/** Static paths that lead to others. */
const MOVED: Readonly<Record<string, string>> = {
  "/": "/dashboard",
  "/profile": PROFILE_PATH,
};

const TEXTS = texts({
  profile: ["个人中心", "Profile"],
  assistant: ["AI 助手", "AI assistant"],
  dictData: ["字典数据", "Dictionary data"],
  companyFields: ["企业字段", "Company fields"],
  employeeFields: ["员工字段", "Employee fields"],
});

/** A dictionary's entries. A number has one spelling, so that each dictionary has one tag. */
const DICT_DATA = /^\/dict\/type\/data\/([1-9]\d{0,18})$/;

/** The page of the chat provider: the page of people and messages, whatever the menus say. */
const PROVIDER_CHAT = /^\/dc\/[^/]+\/index$/;
const CHAT_PATH = "/im/people";

const STATIC = { affix: false, noCache: true, fixed: false } as const;

/** All pages of the frame: static ones, then those of the person's menus, and those with parameters. */
export function usePages(): PageSet {
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const menus = useMenus();
  const home = t("dashboard.title");
  const importing = t("imports.title");
  const profile = text("profile");
  const assistant = text("assistant");
  const dictData = text("dictData");
  const companyFields = text("companyFields");
  const employeeFields = text("employeeFields");
  const people = t("people.title");
  return useMemo(() => {
    const ofMenus = menus.routes.map(({ path, view, title, affix, noCache }) => {
      const entry = VIEWS[view];
      const element = entry === undefined ? <BuildingPage title={title} /> : <entry.view />;
      return { path, title, affix, noCache, fixed: entry?.fixed === true, element };
    });
    // static pages are there whatever the menus say; a menu's title goes before
    const others = [
      ...Object.entries({
        "/DataBatchImport/index": importing,
        "/DataBatchImport2/index": importing,
        "/ai": assistant,
        "/setfield": companyFields,
        "/employeeSetfield": employeeFields,
      }).flatMap(([path, title]): Page[] => {
        const entry = VIEWS[path.slice(1)];
        if (entry === undefined) return [];
        const fixed = entry.fixed === true;
        return [{ ...STATIC, fixed, path, title, element: <entry.view /> }];
      }),
      { ...STATIC, path: PROFILE_PATH, title: profile, element: <ProfilePage /> },
    ].filter(({ path }) => !ofMenus.some((page) => page.path === path));
    const list: readonly Page[] = [
      {
        ...STATIC,
        path: "/dashboard",
        title: home,
        affix: true,
        noCache: false,
        element: <Dashboard />,
      },
      ...ofMenus,
      ...others,
    ];
    const has = (path: string): boolean => list.some((page) => pagePath(page.path) === path);
    return {
      list,
      at(pathname) {
        const wanted = pagePath(pathname);
        const known = list.find((page) => pagePath(page.path) === wanted);
        if (known !== undefined) return known;
        const talk = VIEWS["im/people"];
        // With the menu entry this path leads there instead.
        if (PROVIDER_CHAT.test(wanted) && talk !== undefined && !has(CHAT_PATH)) {
          return {
            path: wanted,
            title: people,
            affix: false,
            noCache: false,
            fixed: true,
            element: <talk.view />,
          };
        }
        if (!DICT_DATA.test(wanted)) return undefined;
        return {
          path: wanted,
          pattern: "/dict/type/data/:dictId",
          below: "/system/dict",
          title: dictData,
          affix: false,
          noCache: false,
          fixed: true,
          element: <DictDataPage />,
        };
      },
    };
  }, [menus, home, importing, profile, assistant, dictData, companyFields, employeeFields, people]);
}

export function usePlace(pages: PageSet, pathname: string): Place {
  const { redirects } = useMenus();
  return useMemo(() => {
    const page = pages.at(pathname);
    if (page !== undefined) return { type: "page", page };
    const path = pagePath(pathname);
    const moved = PROVIDER_CHAT.test(path) ? CHAT_PATH : MOVED[path];
    if (moved !== undefined) return { type: "redirect", to: moved, refresh: null };
    if (pathname.startsWith(REDIRECT)) {
      // a second slash would name another host
      const to = `/${pathname.slice(REDIRECT.length).replace(/^\/+/, "")}`;
      return { type: "redirect", to, refresh: pages.at(to) ?? null };
    }
    const container = redirects.find(({ path }) => pagePath(path) === pagePath(pathname));
    if (container !== undefined) return { type: "redirect", to: container.to, refresh: null };
    return { type: "outside" };
  }, [pages, redirects, pathname]);
}
