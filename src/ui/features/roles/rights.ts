/** Menus and permissions as trees of checkboxes. Pure. */
import { menuTitle } from "../../../shared/domain/menus.ts";
import type { MenuEntry } from "../../../shared/protocol/rest/entities.ts";
import type { CheckNode } from "./check-tree.ts";

/** @param locked codes of entries that stay as they are */
export const menuNodes = (
  entries: readonly MenuEntry[],
  language: "zh" | "en",
  locked: readonly string[],
): readonly CheckNode[] =>
  entries.map((entry) => ({
    id: entry.id,
    title: menuTitle(entry, language),
    locked: locked.includes(entry.code),
    children: menuNodes(entry.childMenu, language, locked),
  }));

const GROUP = "group/";

/** The ids of groups are no permissions. */
export const isPermission = (id: string): boolean => !id.startsWith(GROUP);

/**
 * Permissions by what they are for.
 *
 * @param known `mine`: the person may hand it on
 * @param held what the role holds, which may include a name of an earlier program
 */
export function permissionNodes(
  known: readonly { readonly name: string; readonly mine: boolean }[],
  held: readonly string[],
  titles: {
    readonly group: (name: string) => string;
    readonly action: (name: string) => string;
  },
): readonly CheckNode[] {
  const all = new Map(held.map((name) => [name, true]));
  for (const { name, mine } of known) all.set(name, mine);
  const groups = new Map<string, CheckNode[]>();
  for (const [name, mine] of [...all].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const parts = name.split(":");
    const group = parts.slice(0, 2).join(":");
    const leaf = {
      id: name,
      title: titles.action(parts.slice(2).join(":") || name),
      note: name,
      locked: !mine,
      children: [],
    };
    groups.set(group, [...(groups.get(group) ?? []), leaf]);
  }
  return [...groups].map(([group, children]) => ({
    id: `${GROUP}${group}`,
    title: titles.group(group),
    children,
  }));
}

/** Groups are chosen with what they hold. */
export const withGroups = (
  nodes: readonly CheckNode[],
  names: readonly string[],
): ReadonlySet<string> => {
  const held = new Set(names);
  return new Set([
    ...names,
    ...nodes.filter(({ children }) => children.some(({ id }) => held.has(id))).map(({ id }) => id),
  ]);
};

/** What came and what went, as titles. */
export function difference(
  nodes: readonly CheckNode[],
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const flat = (list: readonly CheckNode[]): CheckNode[] =>
    list.flatMap((node) => [node, ...flat(node.children)]);
  const named = (wanted: (id: string) => boolean): string[] =>
    flat(nodes)
      .filter(({ id }) => wanted(id))
      .map(({ title }) => title);
  return {
    added: named((id) => !before.has(id) && after.has(id)),
    removed: named((id) => before.has(id) && !after.has(id)),
  };
}

/** The other person's choice with what this person turned on and off since `before`. */
export const merged = (
  before: ReadonlySet<string>,
  ours: ReadonlySet<string>,
  theirs: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set([
    ...[...theirs].filter((id) => ours.has(id) || !before.has(id)),
    ...[...ours].filter((id) => !before.has(id)),
  ]);
