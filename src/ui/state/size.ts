/** Size of the interface: the cookie `size`, medium by default. */
import { readCookie, writeCookie } from "../storage.ts";

export const SIZES = ["medium", "small", "mini"] as const;
export type Size = (typeof SIZES)[number];
const COOKIE = "size";

export interface SizeStore {
  get(): Size;
  subscribe(handler: () => void): () => void;
  set(size: Size): void;
}

const kept = (): Size => SIZES.find((size) => size === readCookie(COOKIE)) ?? "medium";

export function createSizeStore(): SizeStore {
  const handlers = new Set<() => void>();
  let size = kept();
  const apply = (next: Size): void => {
    if (next === size) return;
    size = next;
    for (const handler of handlers) handler();
  };
  // cookies have no change event, so read another tab's choice when this tab becomes visible
  document.addEventListener("visibilitychange", () => apply(kept()));
  return {
    get: () => size,
    subscribe(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    set(next) {
      writeCookie(COOKIE, next);
      apply(next);
    },
  };
}
