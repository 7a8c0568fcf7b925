/** Leads to a message of the list, and loads it and those around it when it is not in memory. */
import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { ConversationView } from "../common/conversations.ts";
import { textOf } from "../../../i18n/texts.ts";
import { useCore } from "../../../state/services.ts";
import { showMessage, showError } from "../../../state/show-message.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";

/** ms for which the message stays marked. */
const MARKED = 1600;

/**
 * @param list.show shows the part of the conversation that has a message; answers whether it is shown already
 * @param list.keep renders a message wherever it is
 */
export function useJump(
  chatId: string,
  box: RefObject<HTMLElement | null>,
  conversation: ConversationView | undefined,
  list: { readonly show: (id: string) => boolean; readonly keep: (id: string) => void },
): (mid: string) => void {
  const core = useCore();
  const wanted = useRef<string | null>(null);
  const { show, keep } = list;
  const look = useCallback(() => {
    const mid = wanted.current;
    if (mid === null) return;
    const id = conversation?.order.find((each) => conversation.messages[each]?.mid === mid);
    if (id === undefined || !show(id)) return;
    keep(id);
    const place = `[data-mid="${CSS.escape(mid)}"]`;
    const item = box.current?.querySelector<HTMLElement>(place);
    if (item === null || item === undefined) return;
    wanted.current = null;
    item.scrollIntoView({ block: "center" });
    item.focus({ preventScroll: true });
    item
      .querySelector(".message-bubble")
      ?.animate({ outline: ["3px solid var(--brand)", "3px solid transparent"] }, MARKED);
  }, [box, conversation, show, keep]);
  // without dependencies: any rendering may have brought the message
  useEffect(look);
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });

  return useCallback(
    (mid) => {
      wanted.current = mid;
      latest.current();
      if (wanted.current === null) return;
      core.commands.chat.reach({ chatId, mid }).then((found) => {
        if (found || wanted.current !== mid) return;
        wanted.current = null;
        showMessage("info", textOf(CHAT_TEXTS, "quoteGone"));
      }, showError);
    },
    [core, chatId],
  );
}
