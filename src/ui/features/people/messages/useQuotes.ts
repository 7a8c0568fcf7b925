/** How quoted messages are named and shown. */
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { CHAT_QUOTE_MAX } from "../../../../shared/domain/chat-limits.ts";
import type { ChatQuote } from "../../../../shared/protocol/chat-parts.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { useFrozenSlice, useSlice } from "../../../state/services.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { messagePreview } from "../common/conversations.ts";

/** What an answer to a message says of it; null for one that the server does not have, which nobody could find. */
export function quoteOf({ mid, from, type, msg }: ChatMessage): ChatQuote | null {
  return mid === null ? null : { mid, from, type, text: msg.slice(0, CHAT_QUOTE_MAX) };
}

/** The name of a sender in a conversation. */
export function useSenderName(chatId: string): (from: string) => string {
  const text = useTexts(CHAT_TEXTS);
  const { chatUserName } = useSlice("session");
  const { names, conversations } = useFrozenSlice("chat");
  const name = conversations[chatId]?.name;
  const remark = useRemarks();
  return useCallback(
    (from) => {
      if (from === chatUserName) return text("me");
      return remark(from, names[from] ?? (from === chatId ? (name ?? from) : from));
    },
    [chatUserName, names, chatId, name, remark, text],
  );
}

/** The text of a quote: of the message as it is now, else as the answer's writer saw it. */
export function useQuoteText(): (quote: ChatQuote, quoted: ChatMessage | undefined) => string {
  const { t } = useTranslation();
  return useCallback(
    (quote, quoted) => {
      if (quoted !== undefined) return messagePreview(quoted, t);
      const { type, text } = quote;
      return type === "text" ? text.replaceAll(/\s+/g, " ") : t(`people.media.${type}`);
    },
    [t],
  );
}
