/**
 * The floating window of a call, which stays above other programs (docs/calls.md#picture-in-picture): a document of its own where the
 * browser has Document Picture-in-Picture, else the browser's window for one video.
 */

interface DocumentPictureInPicture {
  requestWindow(options: { readonly width: number; readonly height: number }): Promise<Window>;
}
export type FloatingKind = "document" | "video";

const documents = (): DocumentPictureInPicture | undefined =>
  (globalThis as { documentPictureInPicture?: DocumentPictureInPicture }).documentPictureInPicture;

/** null: this browser has neither. */
export function floatingKind(): FloatingKind | null {
  if (documents() !== undefined) return "document";
  return document.pictureInPictureEnabled ? "video" : null;
}

const SIZE = { width: 400, height: 300 };

/** Adds the styles that the page has and the window lacks, and the page's theme. */
export function dress(floating: Window): void {
  const { body, head } = floating.document;
  const theme = document.body.getAttribute("arco-theme");
  if (theme !== null) body.setAttribute("arco-theme", theme);
  const known = new Set([...head.children].map((one) => one.outerHTML));
  for (const one of document.head.querySelectorAll<HTMLElement>('style, link[rel="stylesheet"]')) {
    const copy = one.cloneNode(true) as HTMLElement;
    // The window's address is about:blank.
    if (one instanceof HTMLLinkElement) copy.setAttribute("href", one.href);
    if (!known.has(copy.outerHTML)) head.append(copy);
  }
}

/** Call in a click handler. Rejects when the browser refuses. @param closed called once when the window is closed */
export async function openDocument(closed: () => void): Promise<Window> {
  const floating = await documents()?.requestWindow(SIZE);
  if (floating === undefined) throw new Error("no floating window");
  floating.document.documentElement.lang = document.documentElement.lang;
  floating.document.title = document.title;
  floating.document.body.className = "floating-body";
  dress(floating);
  floating.addEventListener("pagehide", closed, { once: true });
  return floating;
}

/** Call in a click handler. Rejects when the browser refuses. @param closed called once when the window is closed */
export async function openVideo(video: HTMLVideoElement, closed: () => void): Promise<void> {
  await video.requestPictureInPicture();
  video.addEventListener("leavepictureinpicture", closed, { once: true });
}
