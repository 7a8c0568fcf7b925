/** Nodes of a tree as a list, and chosen values in the order of all. Pure. */
import type { TreeNode } from "./kinds.ts";

export interface PlacedNode {
  readonly value: string;
  readonly label: string;
  readonly depth: number;
  /** The labels from the top down. */
  readonly path: string;
}

export const placedNodes = (
  nodes: readonly TreeNode[],
  above: readonly string[] = [],
): readonly PlacedNode[] =>
  nodes.flatMap(({ value, label, children }) => {
    const names = [...above, label];
    return [
      { value, label, depth: above.length, path: names.join(" / ") },
      ...placedNodes(children, names),
    ];
  });

/** The chosen options in the order of all options, and at the end what is no option. */
export const ordered = (
  all: readonly { readonly value: string }[],
  chosen: readonly string[],
): readonly string[] => {
  const known = all.map(({ value }) => value);
  return [
    ...known.filter((one) => chosen.includes(one)),
    ...chosen.filter((one) => !known.includes(one)),
  ];
};

/** Whether a search finds the text. */
export const includes = (text: string, word: string): boolean =>
  text.toLowerCase().includes(word.trim().toLowerCase());
