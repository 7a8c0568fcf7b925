/** Menu entries of the server as routes and as the sidebar's tree (docs/session.md#menus). Pure. */
import type { Role } from "../protocol/rest/entities.ts";

/** The read-only part of a menu entry that this file needs, so that it also accepts a snapshot of the state. */
export interface MenuSource {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly icon: string;
  readonly uri: string;
  readonly hidden: boolean;
  readonly elementProperties: {
    readonly roles?: readonly string[] | undefined;
    readonly systems?: readonly string[] | undefined;
    readonly noCache?: boolean | undefined;
    readonly affix?: boolean | undefined;
    readonly breadcrumb?: boolean | undefined;
    readonly noRedirect?: boolean | undefined;
    readonly titles?: { readonly zh: string; readonly en: string } | undefined;
  };
  readonly childMenu: readonly MenuSource[];
}

export interface Crumb {
  readonly title: string;
  /** Target of a click; null for plain text (noRedirect). */
  readonly to: string | null;
}

/** One dynamic route: a leaf loads the view of its uri. */
export interface MenuRoute {
  readonly path: string;
  /** Key of the view registry: the entry's uri without slashes around it. */
  readonly view: string;
  readonly title: string;
  readonly icon: string;
  readonly menuId: string;
  readonly noCache: boolean;
  readonly affix: boolean;
  /** Containers above and the route itself; entries with breadcrumb false are left out. */
  readonly crumbs: readonly Crumb[];
}

/** A container's own path redirects to its first route. */
export interface MenuRedirect {
  readonly path: string;
  readonly to: string;
}

export interface SidebarItem {
  readonly id: string;
  readonly title: string;
  readonly icon: string;
  /** Route path, or the address of an external link. Containers have one too (their redirect). */
  readonly to: string;
  readonly external: boolean;
  readonly children: readonly SidebarItem[];
}

export interface Menus {
  readonly routes: readonly MenuRoute[];
  readonly redirects: readonly MenuRedirect[];
  readonly sidebar: readonly SidebarItem[];
}

export interface MenuViewer {
  readonly roles: readonly Readonly<Pick<Role, "roleCode" | "roleId">>[];
  readonly systemName: string;
  /** Returns an entry's title in the viewer's language; by default its name. */
  readonly titleOf?: (entry: MenuSource) => string;
}

/** Title of a menu entry in a language. An entry that an administrator renamed has that name in both. */
export function menuTitle(
  { name, elementProperties: { titles } }: Pick<MenuSource, "name" | "elementProperties">,
  language: "zh" | "en",
): string {
  return titles?.zh === name ? titles[language] : name;
}

/** Links that start with http, https, mailto or tel are external. */
export const isExternal = (uri: string): boolean => /^(https?:|mailto:|tel:)/i.test(uri.trim());

/** The id that the platform fixes for the sidebar beside its data page, for a display mode that it does not show (docs/session.md#frame). */
export const sidebarId = (pathname: string): string | undefined =>
  pathname === "/data/index" ? "display_Menu" : undefined;

/** Roles intersect and the systems include the current one; an absent list admits everyone. */
export function mayShow(entry: MenuSource, viewer: MenuViewer): boolean {
  const { roles, systems } = entry.elementProperties;
  const byRole =
    roles === undefined ||
    viewer.roles.some((r) => roles.includes(r.roleCode ?? "") || roles.includes(r.roleId));
  return byRole && (systems === undefined || systems.includes(viewer.systemName));
}

/** Absolute path of an entry. A uri that starts with "/" is absolute; others are below their container. */
export function menuPath(parent: string, uri: string): string {
  const parts = (uri.split(/[?#]/, 1)[0] ?? "").split("/").filter((p) => p !== "" && p !== ".");
  const path = `/${parts.join("/")}`;
  if (uri.startsWith("/") || parent === "" || parent === "/") return path;
  // a leaf may repeat its container's prefix: `im/people` below `/im`
  return path === parent || path.startsWith(`${parent}/`) ? path : `${parent}${path}`;
}

const viewOf = (path: string): string => path.replace(/^\/+/, "");

/**
 * Builds routes and sidebar from the answer of the menu call. Entries that the viewer may not see are left out; hidden entries
 * get a route but no sidebar item. Of two equal paths the first wins.
 *
 * @param reserved paths that static routes already use
 */
export function buildMenus(
  entries: readonly MenuSource[],
  viewer: MenuViewer,
  reserved: readonly string[] = [],
): Menus {
  const routes: MenuRoute[] = [];
  const redirects: MenuRedirect[] = [];
  const taken = new Set(reserved);
  const titleOf = viewer.titleOf ?? ((entry) => entry.name);
  const item = (
    entry: MenuSource,
    to: string,
    external: boolean,
    children: readonly SidebarItem[],
  ): SidebarItem => ({
    id: entry.id,
    title: titleOf(entry),
    icon: entry.icon,
    to,
    external,
    children,
  });

  const walk = (
    list: readonly MenuSource[],
    parent: string,
    above: readonly Crumb[],
    hidden: boolean,
  ): SidebarItem[] => {
    const items: SidebarItem[] = [];
    for (const entry of list) {
      if (!mayShow(entry, viewer)) continue;
      const unseen = hidden || entry.hidden;
      if (isExternal(entry.uri)) {
        if (!unseen) items.push(item(entry, entry.uri.trim(), true, []));
        continue;
      }
      const path = menuPath(parent, entry.uri);
      if (entry.childMenu.length > 0) {
        const found = container(entry, path, above, unseen);
        if (found !== null && !unseen) items.push(found);
      } else if (!taken.has(path) && path !== "/") {
        taken.add(path);
        routes.push(leaf(entry, titleOf(entry), path, above));
        if (!unseen) items.push(item(entry, path, false, []));
      }
    }
    return items;
  };

  const container = (
    entry: MenuSource,
    path: string,
    above: readonly Crumb[],
    hidden: boolean,
  ): SidebarItem | null => {
    const first = firstPath(entry, path, viewer);
    const shown = entry.elementProperties.breadcrumb !== false;
    const to = entry.elementProperties.noRedirect === true ? null : first;
    const crumbs = shown ? [...above, { title: titleOf(entry), to }] : above;
    const children = walk(entry.childMenu, path, crumbs, hidden);
    if (first !== null && first !== path && !taken.has(path) && path !== "/") {
      taken.add(path);
      redirects.push({ path, to: first });
    }
    const [only] = children;
    if (only === undefined) return null;
    if (children.length === 1) return { ...only, icon: only.icon === "" ? entry.icon : only.icon };
    return item(entry, first ?? only.to, false, children);
  };

  const sidebar = walk(entries, "", [], false);
  return { routes, redirects, sidebar };
}

const leaf = (
  entry: MenuSource,
  title: string,
  path: string,
  above: readonly Crumb[],
): MenuRoute => ({
  path,
  view: viewOf(path),
  title,
  icon: entry.icon,
  menuId: entry.id,
  noCache: entry.elementProperties.noCache === true,
  affix: entry.elementProperties.affix === true,
  crumbs: entry.elementProperties.breadcrumb === false ? above : [...above, { title, to: null }],
});

/** Path of the first visible leaf below `entry` that the viewer may open; null when there is none. */
function firstPath(entry: MenuSource, path: string, viewer: MenuViewer): string | null {
  for (const child of entry.childMenu) {
    if (child.hidden || isExternal(child.uri) || !mayShow(child, viewer)) continue;
    const at = menuPath(path, child.uri);
    const found = child.childMenu.length > 0 ? firstPath(child, at, viewer) : at;
    if (found !== null) return found;
  }
  return null;
}

/** Ids of the containers above the item that leads to `path`, outermost first. */
export function openContainers(items: readonly SidebarItem[], path: string): string[] {
  for (const it of items) {
    if (it.children.length === 0) continue;
    if (it.children.some((c) => c.children.length === 0 && c.to === path)) return [it.id];
    const below = openContainers(it.children, path);
    if (below.length > 0) return [it.id, ...below];
  }
  return [];
}
