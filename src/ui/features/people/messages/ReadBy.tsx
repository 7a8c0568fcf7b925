import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useFrozenSlice } from "../../../state/services.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { useTalk } from "./useTalk.tsx";

/** How many members have read the message; a click says who. */
export function ReadBy({ message }: { readonly message: ChatMessage }) {
  const text = useTexts(CHAT_TEXTS);
  const talk = useTalk();
  const { groups } = useFrozenSlice("chat");
  const count = message.readers ?? null;
  const others = (groups[groupIdOf(message.chatId) ?? ""]?.members ?? 0) - 1;
  return (
    <button type="button" className="message-readers" onClick={() => talk.readers(message)}>
      {count === null
        ? text("readersUnknown")
        : count > 0 && count >= others
          ? text("readByAll")
          : text("readBy", { count })}
    </button>
  );
}
