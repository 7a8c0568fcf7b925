/** Light or dark theme. Follows the system until the person chooses; the choice then applies to all tabs. */
import { localKey, readLocal, writeLocal } from "../storage.ts";

export type Theme = "light" | "dark";
const KEY = "theme";

export interface ThemeStore {
  get(): Theme;
  subscribe(handler: () => void): () => void;
  set(theme: Theme): void;
}

/** Sets the theme on the body at once, so that the first paint uses it. */
export function createThemeStore(): ThemeStore {
  const media = matchMedia("(prefers-color-scheme: dark)");
  const handlers = new Set<() => void>();
  const wanted = (): Theme => {
    const kept = readLocal(KEY);
    return kept === "light" || kept === "dark" ? kept : media.matches ? "dark" : "light";
  };
  let theme = wanted();
  const apply = (next: Theme): void => {
    theme = next;
    document.documentElement.style.colorScheme = next;
    if (next === "dark") document.body.setAttribute("arco-theme", "dark");
    else document.body.removeAttribute("arco-theme");
    for (const handler of handlers) handler();
  };
  apply(theme);
  media.addEventListener("change", () => apply(wanted()));
  addEventListener("storage", (event) => {
    if (event.key === localKey(KEY)) apply(wanted());
  });
  return {
    get: () => theme,
    subscribe(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    set(next) {
      writeLocal(KEY, next);
      apply(next);
    },
  };
}
