/** A message on one line. What a person wrote stays as it is, whatever the language of the page. */
import { useTranslation } from "react-i18next";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { messagePreview } from "../common/conversations.ts";

export function MessagePreview({ message }: { readonly message: ChatMessage }) {
  const { t } = useTranslation();
  const isWritten = message.type === "text" && message.status !== "recall";
  return <span {...(isWritten ? { translate: "no" } : {})}>{messagePreview(message, t)}</span>;
}
