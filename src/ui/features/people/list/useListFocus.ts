/**
 * On a narrow window the list and the conversation stand in turn in the same place, so what had the focus goes away when a conversation
 * opens or closes. The focus then goes to the conversation's way back, and from there to the conversation's row.
 */
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { useLayoutEffect, useRef, type RefObject } from "react";

const nothingHasFocus = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

const rowOf = (list: HTMLElement, chatId: string): HTMLElement | undefined =>
  [...list.querySelectorAll<HTMLElement>(".contact")].find(
    ({ dataset }) => (dataset["group"] ?? dataset["user"]) === (groupIdOf(chatId) ?? chatId),
  );

/** Frames within which a list that was hidden has its rows again, each in its place. */
const FRAMES = 20;

/**
 * Gives the element the focus once it is there, unless something else gets it before.
 *
 * @returns a function that stops it
 */
function focusSoon(find: () => HTMLElement | undefined): () => void {
  let left = FRAMES;
  let frame = 0;
  const attempt = (): void => {
    const found = find();
    if (found !== undefined && nothingHasFocus()) found.focus();
    const isThere = found !== undefined && document.activeElement === found;
    // a list that measures its rows again scrolls meanwhile
    if (isThere) found.scrollIntoView({ block: "nearest" });
    left -= 1;
    if (left > 0 && (isThere || nothingHasFocus())) frame = requestAnimationFrame(attempt);
  };
  attempt();
  return () => cancelAnimationFrame(frame);
}

/** @param shown key of the conversation that stands there; null: none */
export function useListFocus(page: RefObject<HTMLElement | null>, shown: string | null): void {
  const before = useRef<string | null>(null);
  useLayoutEffect(() => {
    const from = before.current;
    before.current = shown;
    const list = page.current?.querySelector<HTMLElement>(".contacts") ?? null;
    if (list === null) return;
    if (shown === null) {
      if (from === null || !nothingHasFocus()) return;
      return focusSoon(() => rowOf(list, from));
    }
    const isAway = !list.checkVisibility() && list.contains(document.activeElement);
    const back = page.current?.querySelector<HTMLElement>(".conversation-back");
    if (isAway || (from === null && nothingHasFocus() && back?.checkVisibility() === true)) {
      back?.focus();
    }
  }, [page, shown]);
}
