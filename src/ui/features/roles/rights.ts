/** What a role shows and allows, as one tree of checkboxes: the menus, and below each page its permissions. Pure. */
import { menuTitle } from "../../../shared/domain/menus.ts";
import {
  KEPT_BY_ADMIN,
  permissionGroup,
  permissionPlaces,
} from "../../../shared/domain/role-rights.ts";
import type { MenuEntry } from "../../../shared/protocol/rest/entities.ts";
import type { CheckNode } from "./check-tree.ts";

/** What a role has. */
interface Rights {
  readonly menuIds: readonly string[];
  readonly permissions: readonly string[];
}

/** How the tree names things. */
export interface Wording {
  readonly language: "zh" | "en";
  /** Of a permission, by its whole name. */
  readonly permission: (name: string) => string;
  /** Of what a permission allows, where its page has no other group of permissions. */
  readonly action: (name: string) => string;
  /** Of the permissions without a page. */
  readonly other: string;
}

const PERMISSION = "permission/";
const OTHER = "other";

/** The id of a permission in the tree. The others are ids of menu entries, which are numbers, and the last group. */
const nodeId = (permission: string): string => `${PERMISSION}${permission}`;

/**
 * @param role.builtIn the administrator's role, whose permissions are not chosen, since it holds all
 * @param known `mine`: the person may hand it on; the others stay as they are
 * @param role.permissions what the role holds, which may include a name of an earlier program
 */
export function rightsTree(
  entries: readonly MenuEntry[],
  known: readonly { readonly name: string; readonly mine: boolean }[],
  role: { readonly builtIn: boolean; readonly permissions: readonly string[] },
  wording: Wording,
): readonly CheckNode[] {
  const all = new Map(role.permissions.map((name) => [name, true]));
  for (const { name, mine } of known) all.set(name, mine);
  const names = role.builtIn ? [] : [...all.keys()].toSorted();
  const placeOf = permissionPlaces(entries);
  const leaves = (place: string | null): readonly CheckNode[] => {
    const here = names.filter((name) => placeOf(name) === place);
    const oneGroup = place !== null && new Set(here.map(permissionGroup)).size === 1;
    return here.map((name) => ({
      id: nodeId(name),
      title: oneGroup ? wording.action(name) : wording.permission(name),
      note: name,
      locked: all.get(name) !== true,
      children: [],
    }));
  };
  const nodes = (of: readonly MenuEntry[]): readonly CheckNode[] =>
    of.map((entry) => ({
      id: entry.id,
      title: menuTitle(entry, wording.language),
      locked: role.builtIn && KEPT_BY_ADMIN.includes(entry.code),
      page: entry.childMenu.length === 0,
      children: [...nodes(entry.childMenu), ...leaves(entry.code)],
    }));
  const rest = leaves(null);
  return [
    ...nodes(entries),
    ...(rest.length === 0 ? [] : [{ id: OTHER, title: wording.other, children: rest }]),
  ];
}

/** The rights of a role as what is chosen in its tree. The last group is chosen with what it holds. */
export function chosenOf(tree: readonly CheckNode[], rights: Rights): ReadonlySet<string> {
  const chosen = new Set([...rights.menuIds, ...rights.permissions.map(nodeId)]);
  const other = tree.find(({ id }) => id === OTHER);
  if (other?.children.some(({ id }) => chosen.has(id)) === true) chosen.add(OTHER);
  return chosen;
}

/** What is chosen in the tree as the rights of a role. */
export function rightsOf(chosen: ReadonlySet<string>): Rights {
  const ids = [...chosen].filter((id) => id !== OTHER);
  return {
    menuIds: ids.filter((id) => !id.startsWith(PERMISSION)),
    permissions: ids.flatMap((id) =>
      id.startsWith(PERMISSION) ? [id.slice(PERMISSION.length)] : [],
    ),
  };
}

/** What came and what went, by name, in the order of the tree. A permission is named with its page. */
export function difference(
  tree: readonly CheckNode[],
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const named = (
    nodes: readonly CheckNode[],
    wanted: (id: string) => boolean,
    above = "",
  ): string[] =>
    nodes.flatMap(({ id, title, children }) => [
      ...(id !== OTHER && wanted(id)
        ? [id.startsWith(PERMISSION) ? `${above} · ${title}` : title]
        : []),
      ...named(children, wanted, title),
    ]);
  return {
    added: named(tree, (id) => !before.has(id) && after.has(id)),
    removed: named(tree, (id) => before.has(id) && !after.has(id)),
  };
}
