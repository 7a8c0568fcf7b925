import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import type { NewsEntry } from "../../../shared/protocol/news.ts";
import { useCore, useFrozenSlice } from "../../state/services.ts";
import { mayNotify, notify } from "../../state/system-notices.ts";
import { useGroupName } from "./common/group-texts.ts";

/**
 * Shows new messages as notifications of the system while the person sees no tab of the console (docs/chat.md#notifications). The core
 * says which tab shows a message.
 */
export default function MessageNotices(): null {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tabId } = useCore();
  const { messages } = useFrozenSlice("news");
  const groupName = useGroupName();
  /** By conversation: the message that was shown last, and how it is taken away. */
  const shown = useRef(new Map<string, { readonly mid: string; readonly end: () => void }>());

  useEffect(() => {
    const text = ({ sender, type, text: words }: NewsEntry): string => {
      const preview = type === "text" ? words.replaceAll(/\s+/g, " ") : t(`people.media.${type}`);
      return sender === null ? preview : `${sender}：${preview}`;
    };
    for (const [chatId, { end }] of shown.current) {
      if (messages[chatId] !== undefined) continue;
      // it was read or taken back
      end();
      shown.current.delete(chatId);
    }
    for (const entry of Object.values(messages)) {
      const { chatId, mid, name } = entry;
      if (entry.tabId !== tabId || shown.current.get(chatId)?.mid === mid || !mayNotify()) continue;
      const end = notify(groupName(name), text(entry), `chat-${chatId}`, {
        stays: false,
        onClick: () => void navigate(`/im/people?chat=${encodeURIComponent(chatId)}`),
      });
      shown.current.set(chatId, { mid, end });
    }
  }, [messages, tabId, t, navigate, groupName]);
  useEffect(() => {
    const all = shown.current;
    return () => {
      for (const { end } of all.values()) end();
      all.clear();
    };
  }, []);
  return null;
}
