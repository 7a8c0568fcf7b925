import { Button } from "@arco-design/web-react";
import { IconClose } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import { useTexts } from "../../../i18n/texts.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { messagePreview } from "../common/conversations.ts";
import { useSenderName } from "../messages/useQuotes.ts";
import type { Talk } from "../messages/useTalk.tsx";

/** The message that the text will answer or change. */
export function ComposerAbout({ chatId, talk }: { readonly chatId: string; readonly talk: Talk }) {
  const { answering, editing, end } = talk;
  const { t } = useTranslation();
  const label = useTexts(CHAT_TEXTS);
  const nameOf = useSenderName(chatId);
  const message = answering ?? editing;
  if (message === null) return null;
  return (
    <div className="composer-about">
      <span className="ellipsis">
        {answering === null ? label("editing") : label("answering", { name: nameOf(message.from) })}
        ：{messagePreview(message, t)}
      </span>
      <Button
        type="text"
        size="mini"
        aria-label={label(answering === null ? "stopEditing" : "stopAnswering")}
        icon={<IconClose />}
        onClick={end}
      />
    </div>
  );
}
