/** The frame of every page after the login: sidebar, top bar, tags, page area (docs/session.md#frame). */
import { lazy, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router-dom";
import { sidebarId, type SidebarItem } from "../../shared/domain/menus.ts";
import type { TagAction } from "../../shared/domain/tags.ts";
import type { PageSet, Place } from "../places/place.tsx";
import { AlertLive } from "../features/alerts/live/AlertLive.tsx";
import { Logo } from "../components/Logo.tsx";
import { useRingTitle } from "../features/call/useRingTitle.ts";
import { Watermark } from "../features/watermark/Watermark.tsx";
import { closeDialogs } from "../state/dialogs.ts";
import { useCompanyLook } from "../state/company-look.ts";
import { useMenus } from "../state/menus.ts";
import { PageTitlesContext, usePageTitles } from "../state/page-titles.ts";
import { useMissedCalls } from "../state/missed-calls.ts";
import { retrying } from "../state/retrying.ts";
import { useAppearance, useSide, useSlice } from "../state/services.ts";
import { useSidebar } from "../state/sidebar.ts";
import { useTags } from "../state/tags.ts";
import { useBadge, useTitle } from "../state/title.ts";
import { Header } from "./Header.tsx";
import { Pages } from "./Pages.tsx";
import { RETURNING } from "./returning.ts";
import { SearchPlace } from "./SearchPlace.tsx";
import { SidebarNav } from "./SidebarNav.tsx";
import { TagsBar } from "./TagsBar.tsx";
import { useHelpKey } from "./useHelpKey.ts";
import { useShortcut } from "./useShortcut.ts";
import { Part } from "../components/Part.tsx";
import "./layout.css";

const SettingsDrawer = lazy(() =>
  retrying(() => import("./SettingsDrawer.tsx")).then((m) => ({ default: m.SettingsDrawer })),
);
const KeysDialog = lazy(() =>
  retrying(() => import("./KeysDialog.tsx")).then((m) => ({ default: m.KeysDialog })),
);
const MessageNotices = lazy(() => retrying(() => import("../features/people/MessageNotices.tsx")));

const PEOPLE_PATH = "/im/people";
const CALLS_PATH = "/im/calls";

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

export function MainLayout(props: {
  /** Owner of the shown tags: person and company. */
  readonly owner: string;
  readonly pages: PageSet;
  readonly place: Place;
}) {
  const { pages, place } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const menus = useMenus();
  const sidebar = useSidebar();
  const { pathname, search, hash } = useLocation();
  const { unread } = useSlice("news");
  const missed = useMissedCalls();
  const news = unread + missed;
  const ring = useRingTitle();
  const side = useRef<HTMLElement>(null);
  const [appearance] = useAppearance();
  const look = useSide();
  useCompanyLook();
  const { systemName } = useSlice("session");
  const [dialog, setDialog] = useState<"settings" | "search" | "keys" | null>(null);
  useShortcut(
    "k",
    useCallback(() => setDialog((now) => (now === "search" ? null : "search")), []),
  );
  const showKeys = useCallback(() => setDialog("keys"), []);
  useHelpKey(showKeys);

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
  const active = place.type === "page" ? place.page : null;
  const given = usePageTitles(props.owner);
  useTitle(active === null ? null : (given.titles[active.path] ?? active.title), news, ring);
  useBadge(news + (ring === null ? 0 : 1));

  const generations = useRefreshes(place);
  const to = `${pathname}${search}${hash}`;
  const tags = useTags(props.owner, pages.list, pages.at, active, to);
  const known = useMemo(() => {
    const listed = new Set(pages.list.map(({ path }) => path));
    const visited = [
      ...tags.list.map(({ path }) => path),
      ...(active === null ? [] : [active.path]),
    ];
    const others = [...new Set(visited)].flatMap((path) =>
      listed.has(path) ? [] : (pages.at(path) ?? []),
    );
    return [...pages.list, ...others];
  }, [pages, tags.list, active]);
  const titles = useMemo(
    () => new Map(known.map(({ path, title }) => [path, given.titles[path] ?? title])),
    [known, given.titles],
  );
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
    <PageTitlesContext value={given}>
      <div className="layout" data-mobile={sidebar.mobile} data-folded={folded} data-side={look}>
        <a className="skip" href="#main">
          {t("common.skip")}
        </a>
        {drawer && <div className="drawer-mask" onClick={close} aria-hidden="true" />}
        <aside
          ref={side}
          className="sidebar"
          data-open={sidebar.open}
          inert={sidebar.mobile && !sidebar.open}
          id={sidebarId(pathname)}
        >
          {appearance.sidebarLogo && (
            <div className="sidebar-logo">
              <Logo />
              <span className="sidebar-title">
                {t("platformShort")}
                <small>{t(`systems.${systemName}`)}</small>
              </span>
            </div>
          )}
          <SidebarNav
            items={items}
            folded={folded}
            onUnfold={sidebar.toggle}
            counts={{ [PEOPLE_PATH]: unread, [CALLS_PATH]: missed }}
          />
        </aside>
        <div className="layout-main">
          <Header
            open={sidebar.open}
            onToggle={sidebar.toggle}
            onSearch={() => setDialog("search")}
            onSettings={() => setDialog("settings")}
            onKeys={showKeys}
          />
          {appearance.tagsView && (
            <TagsBar tags={tags.list} titles={titles} active={active?.path ?? null} onAct={act} />
          )}
          <main className="pages">
            <Pages pages={known} active={active} tags={tags.list} generations={generations} />
          </main>
        </div>
        <Watermark />
        <AlertLive />
        <Part>{appearance.messageNotices && <MessageNotices />}</Part>
        <Part onFailed={() => setDialog(null)}>
          {dialog === "settings" && <SettingsDrawer onClose={() => setDialog(null)} />}
          {dialog === "keys" && <KeysDialog onClose={() => setDialog(null)} />}
        </Part>
        {dialog === "search" && <SearchPlace items={items} onClose={() => setDialog(null)} />}
      </div>
    </PageTitlesContext>
  );
}
