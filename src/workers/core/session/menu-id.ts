/** Which menu entry a page belongs to: the menu-id header (docs/session.md#menus). */
import type { MenuEntry } from "../../../shared/protocol/rest/index.ts";

const normal = (path: string): string => `/${path.split(/[?#]/)[0] ?? ""}`.replace(/\/{2,}/g, "/");

/**
 * @param path path of the page as the tab reports it; null without tabs
 * @returns id of the entry whose uri is that path, by itself or after its containers' uris; null when there is none
 */
export function menuIdOf(menus: readonly MenuEntry[], path: string | null): string | null {
  if (path === null || path === "") return null;
  const wanted = normal(path);
  const find = (entries: readonly MenuEntry[], prefix: string): string | null => {
    for (const entry of entries) {
      const full = normal(`${prefix}/${entry.uri}`);
      const below = find(entry.childMenu, full);
      if (below !== null) return below;
      if (entry.uri !== "" && (full === wanted || normal(entry.uri) === wanted)) return entry.id;
    }
    return null;
  };
  return find(menus, "");
}
