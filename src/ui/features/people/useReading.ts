/** Messages count as read once a person can see the newest: in a window with focus, at the end of the list, with nothing over it. */
import { type RefObject, useEffect } from "react";
import { useCore, usePageFocused, usePageVisible } from "../../state/services.ts";
import { isUncovered } from "./is-uncovered.ts";

/** ms between two looks while something is unread; nothing tells when a window over the messages goes away. */
const LOOK = 500;

/**
 * @param list.unread messages of the conversation
 * @param list.atEnd the newest message is scrolled into sight
 */
export function useReading(
  chatId: string,
  box: RefObject<HTMLElement | null>,
  list: { readonly unread: number; readonly atEnd: boolean; readonly loaded: boolean },
): void {
  const core = useCore();
  const { unread, atEnd, loaded } = list;
  const focused = usePageFocused();
  const visible = usePageVisible();
  const mayRead = visible && focused && atEnd && loaded && unread > 0;
  useEffect(() => {
    if (!mayRead) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      // again while anything is unread: a message may come in the moment of a reading
      timer = setTimeout(look, LOOK);
      if (box.current === null || !isUncovered(box.current)) return;
      core.commands.chat.markRead({ chatId }).catch(() => undefined);
    };
    look();
    return () => clearTimeout(timer);
  }, [core, chatId, box, mayRead]);
}
