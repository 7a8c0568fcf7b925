/** What is chosen in a tree of checkboxes: a choice takes along what is below it and needs what is above it. Pure. */

export interface CheckNode {
  readonly id: string;
  readonly title: string;
  /** Shown beside the title. */
  readonly note?: string;
  /** Stays as it is. */
  readonly locked?: boolean;
  readonly children: readonly CheckNode[];
}

export type CheckState = "all" | "some" | "none";

export const idsOf = (tree: readonly CheckNode[]): string[] =>
  tree.flatMap((node) => [node.id, ...idsOf(node.children)]);

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
 * The choice after a node was turned on or off. What nothing is chosen below of any more is turned off too.
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
    else if (above.locked !== true && !above.children.some((child) => next.has(child.id))) {
      next.delete(above.id);
    }
  }
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
