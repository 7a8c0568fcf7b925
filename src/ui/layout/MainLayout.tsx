/** The frame of every page after the login: sidebar, top bar, tags, page area (docs/session.md#frame). */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router-dom";
import type { SidebarItem } from "../../shared/domain/menus.ts";
import type { TagAction } from "../../shared/domain/tags.ts";
import type { Page, Place } from "../app/place.tsx";
import { Logo } from "../components/Logo.tsx";
import { closeDialogs } from "../state/dialogs.ts";
import { useMenus } from "../state/menus.ts";
import { useSlice } from "../state/services.ts";
import { useSidebar } from "../state/sidebar.ts";
import { useTags } from "../state/tags.ts";
import { useTitle } from "../state/title.ts";
import { Header } from "./Header.tsx";
import { Pages } from "./Pages.tsx";
import { RETURNING } from "./returning.ts";
import { SidebarNav } from "./SidebarNav.tsx";
import { TagsBar } from "./TagsBar.tsx";
import "./layout.css";

const PEOPLE_PATH = "/im/people";

interface Refreshes {
  /** How often each page was mounted again, by path. */
  readonly generations: Readonly<Record<string, number>>;
  /** Address of the redirect that was handled last. */
  readonly at: string | null;
}

/** Counts how often each page must mount again, and follows redirects from one path to another. */
function useRefreshes(place: Place): Readonly<Record<string, number>> {
  const navigate = useNavigate();
  const { search, hash } = useLocation();
  const [{ generations, at }, setState] = useState<Refreshes>({ generations: {}, at: null });
  const to = place.type === "redirect" ? place.to + search + hash : null;
  const path = place.type === "redirect" ? (place.refresh?.path ?? null) : null;
  if (at !== to) {
    const restarted = path === null ? {} : { [path]: (generations[path] ?? 0) + 1 };
    setState({ generations: { ...generations, ...restarted }, at: to });
  }
  useEffect(() => {
    if (to !== null) void navigate(to, { replace: true });
  }, [navigate, to]);
  return generations;
}

export default function MainLayout(props: {
  /** Owner of the shown tags: person and company. */
  readonly owner: string;
  readonly pages: readonly Page[];
  readonly place: Place;
}) {
  const { pages, place } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const menus = useMenus();
  const sidebar = useSidebar();
  const { pathname, search, hash } = useLocation();
  const { conversations } = useSlice("chat");
  const side = useRef<HTMLElement>(null);

  const items = useMemo<readonly SidebarItem[]>(
    () => [
      {
        id: "static:dashboard",
        title: t("dashboard.title"),
        icon: "dashboard",
        to: "/dashboard",
        external: false,
        children: [],
      },
      ...menus.sidebar,
    ],
    [menus, t],
  );
  const unread = Object.values(conversations).reduce((sum, c) => sum + c.unread, 0);
  const active = place.type === "page" ? place.page : null;
  useTitle(active?.title ?? null);

  const generations = useRefreshes(place);
  const tags = useTags(props.owner, pages, active, `${pathname}${search}${hash}`);
  const titles = useMemo(() => new Map(pages.map(({ path, title }) => [path, title])), [pages]);
  const act = useCallback(
    (action: TagAction, path: string) => {
      if (action === "refresh") {
        const tag = tags.list.find((one) => one.path === path);
        if (tag !== undefined) void navigate(`/redirect${tag.to}`, { replace: true });
        return;
      }
      const goTo = tags.close(action, path);
      if (goTo !== null) void navigate(goTo, { state: RETURNING });
    },
    [navigate, tags],
  );
  // A question closes with its page, also when the person goes back before the next page is shown.
  useEffect(() => {
    const leave = (): void => closeDialogs(location.pathname);
    leave();
    addEventListener("popstate", leave);
    return () => removeEventListener("popstate", leave);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs once the page of the path is shown
  }, [pathname]);

  const drawer = sidebar.mobile && sidebar.open;
  const { close } = sidebar;
  useEffect(() => {
    if (!drawer) return;
    side.current?.querySelector<HTMLElement>("a, button")?.focus();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape") close();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [drawer, close]);

  const folded = !sidebar.mobile && !sidebar.open;
  return (
    <div className="layout" data-mobile={sidebar.mobile} data-folded={folded}>
      <a className="skip" href="#main">
        {t("common.skip")}
      </a>
      {drawer && <div className="drawer-mask" onClick={close} aria-hidden="true" />}
      <aside
        ref={side}
        className="sidebar"
        data-open={sidebar.open}
        inert={sidebar.mobile && !sidebar.open}
        // the platform fixes this id for the sidebar of its data page
        id={pathname === "/data/index" ? "display_Menu" : undefined}
      >
        <div className="sidebar-logo">
          <Logo />
          <span className="sidebar-title">{t("platformShort")}</span>
        </div>
        <SidebarNav
          items={items}
          folded={folded}
          onUnfold={sidebar.toggle}
          counts={{ [PEOPLE_PATH]: unread }}
        />
      </aside>
      <div className="layout-main">
        <Header open={sidebar.open} onToggle={sidebar.toggle} />
        <TagsBar tags={tags.list} titles={titles} active={active?.path ?? null} onAct={act} />
        <main className="pages">
          <Pages pages={pages} active={active} tags={tags.list} generations={generations} />
        </main>
      </div>
    </div>
  );
}
