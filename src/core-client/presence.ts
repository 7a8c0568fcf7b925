/** What the core must know about the page: whether it is visible, when it last had the focus, which path it shows, and its language. */

export interface Presence {
  readonly visible: boolean;
  /** ms since the epoch, 0 for never */
  readonly focusedAt: number;
  readonly path: string;
  /** The language of the page, such as "zh-CN". */
  readonly language: string;
}

const MAX_PATH = 500;

/** What a header may say; a host page may have written anything. */
const languageOf = ({ lang }: HTMLElement): string =>
  /^[A-Za-z\d-]{2,35}$/.test(lang) ? lang : "zh-CN";

/**
 * @param options.onRestored the page returned from the bfcache with its ports and state unchanged
 * @returns `dispose` may be called more than once
 */
export function watchPresence(options: {
  readonly path: () => string;
  readonly onChange: (presence: Presence) => void;
  readonly onRestored: () => void;
}): { current(): Presence; dispose(): void } {
  const listening = new AbortController();
  const { signal } = listening;
  let focusedAt = document.hasFocus() ? Date.now() : 0;
  const current = (): Presence => ({
    visible: document.visibilityState === "visible",
    focusedAt,
    path: options.path().slice(0, MAX_PATH),
    language: languageOf(document.documentElement),
  });
  let last = current();
  const look = (): void => {
    const next = current();
    const same =
      next.visible === last.visible &&
      next.focusedAt === last.focusedAt &&
      next.path === last.path &&
      next.language === last.language;
    last = next;
    if (!same) options.onChange(next);
  };

  document.addEventListener("visibilitychange", look, { signal });
  addEventListener(
    "focus",
    () => {
      focusedAt = Date.now();
      look();
    },
    { signal },
  );
  addEventListener("popstate", look, { signal });
  addEventListener(
    "pageshow",
    (event) => {
      if (event.persisted) options.onRestored();
    },
    { signal },
  );
  const languages = new MutationObserver(look);
  languages.observe(document.documentElement, { attributeFilter: ["lang"] });
  // The router's pushState fires no event. Chromium and Safari report it by the Navigation API; elsewhere the next focus event does.
  if ("navigation" in globalThis) {
    // Not every browser has it, so the types do not.
    (globalThis as unknown as { navigation: EventTarget }).navigation.addEventListener(
      "currententrychange",
      () => queueMicrotask(look),
      { signal },
    );
  }
  return {
    current,
    dispose() {
      listening.abort();
      languages.disconnect();
    },
  };
}
