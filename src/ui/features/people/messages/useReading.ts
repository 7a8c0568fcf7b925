/** Messages count as read once a person can see the newest: in a window with focus, at the end of the list, with nothing over it. */
import { type RefObject, useEffect } from "react";
import { useCore, usePageFocused, usePageVisible } from "../../../state/services.ts";
import { isUncovered } from "./is-uncovered.ts";

/** ms between two looks while something is unread; nothing tells when a window over the messages goes away. */
const LOOK = 500;

/**
 * @param list.newest the last message that is drawn; one that comes while the mark is on its way stays unread
 * @param list.unread messages of the conversation
 * @param list.atEnd the newest message is scrolled into sight
 */
export function useReading(
  chatId: string,
  box: RefObject<HTMLElement | null>,
  list: {
    readonly newest: string | undefined;
    readonly unread: number;
    readonly atEnd: boolean;
    readonly loaded: boolean;
  },
): void {
  const core = useCore();
  const { newest, unread, atEnd, loaded } = list;
  const focused = usePageFocused();
  const visible = usePageVisible();
  const mayRead = visible && focused && atEnd && loaded && unread > 0;
  useEffect(() => {
    if (!mayRead) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      // again while anything is unread: the mark may have been refused
      timer = setTimeout(look, LOOK);
      if (box.current === null || !isUncovered(box.current)) return;
      core.commands.chat
        .markRead({ chatId, ...(newest === undefined ? {} : { upTo: newest }) })
        .catch(() => undefined);
    };
    look();
    return () => clearTimeout(timer);
  }, [core, chatId, box, mayRead, newest]);
}
