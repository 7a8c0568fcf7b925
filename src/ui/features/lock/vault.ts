/** What stays in the body while the console is locked: the root, sound of calls, and the library's short messages. */
const stays = (element: Element): boolean =>
  element.id === "root" ||
  /^(SCRIPT|STYLE|LINK|AUDIO)$/.test(element.tagName) ||
  element.querySelector(":scope > .arco-message-wrapper") !== null;

/**
 * Takes dialogs, drawers and menus, which pages have put into the body, out of the document. A page behind the lock may still close
 * one of them; React does so by the body's methods, so these look for the element where it is.
 *
 * @returns puts everything back
 */
export function emptyBody(body: HTMLElement): () => void {
  const vault = body.ownerDocument.createElement("div");
  vault.append(...[...body.children].filter((element) => !stays(element)));
  const parentOf = (child: Node | null): Node =>
    child !== null && child.parentNode === vault ? vault : body;
  const { prototype } = Node;
  Object.assign(body, {
    removeChild: (child: Node) => prototype.removeChild.call(parentOf(child), child),
    insertBefore: (child: Node, before: Node | null) =>
      prototype.insertBefore.call(parentOf(before), child, before),
  });
  return () => {
    Reflect.deleteProperty(body, "removeChild");
    Reflect.deleteProperty(body, "insertBefore");
    body.append(...vault.childNodes);
  };
}
