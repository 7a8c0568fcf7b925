/**
 * What is chosen in a tree of checkboxes: a choice takes along what is below it and needs what is above it. A container is chosen because of
 * what is below it; a page also on its own. Pure.
 */

export interface CheckNode {
  readonly id: string;
  readonly title: string;
  /** Shown beside the title. */
  readonly note?: string;
  /** Stays as it is. */
  readonly locked?: boolean;
  /** Chosen on its own too: it stays so when nothing below it is chosen any more. */
  readonly page?: boolean;
  readonly children: readonly CheckNode[];
}

export type CheckState = "all" | "some" | "none";

export const idsOf = (tree: readonly CheckNode[]): string[] =>
  tree.flatMap((node) => [node.id, ...idsOf(node.children)]);

export const pagesOf = (tree: readonly CheckNode[]): string[] =>
  tree.flatMap((node) => [...(node.page === true ? [node.id] : []), ...pagesOf(node.children)]);

/** How many of those directly below the node are chosen. */
export const countBelow = ({ children }: CheckNode, checked: ReadonlySet<string>) => ({
  count: children.filter(({ id }) => checked.has(id)).length,
  total: children.length,
});

const unlocked = (tree: readonly CheckNode[]): string[] =>
  tree.flatMap((node) => [...(node.locked === true ? [] : [node.id]), ...unlocked(node.children)]);

/** The nodes from the top down to the one with the id. */
function pathTo(tree: readonly CheckNode[], id: string): readonly CheckNode[] {
  for (const node of tree) {
    if (node.id === id) return [node];
    const below = pathTo(node.children, id);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}

export function stateOf(node: CheckNode, checked: ReadonlySet<string>): CheckState {
  const ids = idsOf([node]);
  const count = ids.filter((id) => checked.has(id)).length;
  return count === 0 ? "none" : count === ids.length ? "all" : "some";
}

/** Whether a click on the node turns it on: something of it that is shown, and may change, is not chosen yet. */
export const turnsOn = (shown: CheckNode, checked: ReadonlySet<string>): boolean =>
  unlocked([shown]).some((id) => !checked.has(id));

/** Gives a container back that lost its choice although something below it, which a search hides or which is locked, is chosen. */
function keepAbove(node: CheckNode, before: ReadonlySet<string>, next: Set<string>): void {
  for (const child of node.children) keepAbove(child, before, next);
  if (before.has(node.id) && node.children.some(({ id }) => next.has(id))) next.add(node.id);
}

/**
 * The choice after a node was turned on or off. A container below which nothing is chosen any more is turned off too.
 *
 * @param shown what a search leaves of the tree: what it hides stays as it is
 */
export function toggled(
  tree: readonly CheckNode[],
  checked: ReadonlySet<string>,
  id: string,
  on: boolean,
  shown: readonly CheckNode[] = tree,
): ReadonlySet<string> {
  const path = pathTo(tree, id);
  const node = path.at(-1);
  const visible = pathTo(shown, id).at(-1);
  if (node === undefined || visible === undefined) return checked;
  const next = new Set(checked);
  for (const one of unlocked([visible])) {
    if (on) next.add(one);
    else next.delete(one);
  }
  keepAbove(node, checked, next);
  for (const above of path.slice(0, -1).toReversed()) {
    if (on) next.add(above.id);
    else if (mayEnd(above) && !above.children.some((child) => next.has(child.id))) {
      next.delete(above.id);
    }
  }
  return next;
}

/** Whether the node is turned off with the last one below it. */
const mayEnd = ({ locked, page }: CheckNode): boolean => locked !== true && page !== true;

/**
 * Joins what two people chose, both beginning with `before`: the other person's choice with what this person turned on and off since then.
 * What either of them turned on keeps what is above it, and a container that has lost everything below it is turned off.
 */
export function joined(
  tree: readonly CheckNode[],
  before: ReadonlySet<string>,
  ours: ReadonlySet<string>,
  theirs: ReadonlySet<string>,
): ReadonlySet<string> {
  const next = new Set([
    ...[...theirs].filter((id) => ours.has(id) || !before.has(id)),
    ...[...ours].filter((id) => !before.has(id)),
  ]);
  /** @returns whether the node, or something below it, was turned on */
  const settle = (node: CheckNode): boolean => {
    const fresh = node.children.map(settle).some(Boolean);
    const any = (of: ReadonlySet<string>) => node.children.some(({ id }) => of.has(id));
    if (fresh) next.add(node.id);
    else if (mayEnd(node) && any(before) && !any(next)) next.delete(node.id);
    return fresh || (next.has(node.id) && !before.has(node.id));
  };
  for (const node of tree) settle(node);
  return next;
}

/** Everything that is shown and may change is turned on or off. */
export const allToggled = (
  tree: readonly CheckNode[],
  checked: ReadonlySet<string>,
  on: boolean,
  shown: readonly CheckNode[] = tree,
): ReadonlySet<string> =>
  shown.reduce((next, { id }) => toggled(tree, next, id, on, shown), checked);

/** The nodes by their ids. */
export const nodesById = (tree: readonly CheckNode[]): ReadonlyMap<string, CheckNode> =>
  new Map(tree.flatMap((node) => [[node.id, node] as const, ...nodesById(node.children)]));

/** Nodes that contain the word, with all below them, and the nodes above these. */
export function matching(tree: readonly CheckNode[], word: string): readonly CheckNode[] {
  const wanted = word.trim().toLowerCase();
  if (wanted === "") return tree;
  return tree.flatMap((node) => {
    if (`${node.title}\n${node.note ?? ""}`.toLowerCase().includes(wanted)) return [node];
    const children = matching(node.children, wanted);
    return children.length === 0 ? [] : [{ ...node, children }];
  });
}
