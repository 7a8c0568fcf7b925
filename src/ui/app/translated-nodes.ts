/**
 * Lets React work in a page that the browser translates (docs/shell.md#translated-pages).
 *
 * A translator puts an element with the translated text in the place of each text node. React keeps the node: removing it, or putting
 * something before it, throws, and the page is lost; a changed text changes a node that nobody sees. Here the page knows which element
 * stands for which node, and what is done with the node is done with the element.
 */

/** The element that Chrome's translator puts around a text. Other extensions use it as well. */
const TRANSLATED = "FONT";

interface Places {
  /** The element in the place of a text node that React still holds. */
  standsFor(node: Node): Element | null;
}

/**
 * Installs it for the whole document. It knows only what is translated from then on, so it comes before React (boot.ts).
 *
 * @returns takes it away again
 */
export function keepTranslatedNodes(document: Document): () => void {
  const replaced = new WeakMap<Node, Element>();
  const places: Places = {
    standsFor(node) {
      const element = replaced.get(node);
      return element?.isConnected === true ? element : null;
    },
  };

  // React has written another text into a node that is not in the page: the node comes back, and the translator finds it again.
  const written = new MutationObserver((records) => {
    for (const { target } of records) {
      if (!target.isConnected) places.standsFor(target)?.replaceWith(target);
      replaced.delete(target);
    }
  });
  const swapped = new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        // React has moved the node to another place, where it came back: what stood for it would show the text twice.
        if (node.isConnected) places.standsFor(node)?.remove();
      }
    }
    for (const [text, element] of swapsOf(records)) {
      replaced.set(text, element);
      written.observe(text, { characterData: true });
    }
  });
  swapped.observe(document, { childList: true, subtree: true });
  const restore = patch(places);
  return () => {
    swapped.disconnect();
    written.disconnect();
    restore();
  };
}

/** The text nodes that were taken out, each with the element that came beside it or in its place. */
function swapsOf(records: readonly MutationRecord[]): [Node, Element][] {
  const isTranslated = (node: Node | null): node is Element => node?.nodeName === TRANSLATED;
  return records.flatMap(({ removedNodes, addedNodes, previousSibling, nextSibling }) =>
    [...removedNodes].flatMap((node): [Node, Element][] => {
      if (!isText(node) || node.isConnected) return [];
      const element = [...addedNodes, previousSibling, nextSibling].find(isTranslated);
      return element === undefined ? [] : [[node, element]];
    }),
  );
}

const isText = (node: Node): boolean => node.nodeType === Node.TEXT_NODE;

/** The child of `parent` that is `node`, contains it, or stands for it. */
function childOf(parent: Node, node: Node, places: Places): Node | null {
  let found: Node | null = places.standsFor(node) ?? node;
  while (found !== null && found.parentNode !== parent) found = found.parentNode;
  return found;
}

/** Only what would throw changes: a node that is no child of the element any more. Without a text in it, it throws as ever. */
function patch(places: Places): () => void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function remove<T extends Node>(this: Node, node: T): T {
    const child = node.parentNode === this ? node : childOf(this, node, places);
    // a text that a translator took away without a trace
    if (child === null && isText(node)) return node;
    removeChild.call(this, child ?? node);
    return node;
  };
  Node.prototype.insertBefore = function insert<T extends Node>(
    this: Node,
    node: T,
    // left out by uPlot, as the DOM allows
    before?: Node | null,
  ): T {
    if (before === null || before === undefined || before.parentNode === this) {
      return insertBefore.call(this, node, before ?? null) as T;
    }
    const child = childOf(this, before, places);
    return insertBefore.call(this, node, child ?? (isText(before) ? null : before)) as T;
  };
  return () => {
    Node.prototype.removeChild = removeChild;
    Node.prototype.insertBefore = insertBefore;
  };
}
