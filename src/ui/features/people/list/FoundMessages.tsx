/** Messages that contain the words of the search, in what this machine has of the conversations. A click leads to the message. */
import { useMemo } from "react";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { searchMessages } from "../common/conversations.ts";
import { useConversations } from "../common/conversations-now.ts";
import { MessagePreview } from "./MessagePreview.tsx";
import { useGroupName } from "../common/group-texts.ts";
import { LIST_TEXTS } from "./list-texts.ts";

export function FoundMessages(props: {
  readonly keyword: string;
  readonly relative: (time: number) => string;
  readonly onChoose: (chatId: string, mid: string) => void;
}) {
  const { keyword, relative } = props;
  const text = useTexts(LIST_TEXTS);
  const named = useGroupName();
  const remark = useRemarks();
  const conversations = useConversations();
  const hits = useMemo(() => searchMessages(conversations, keyword), [conversations, keyword]);
  if (hits.length === 0) return null;
  return (
    <section className="contacts-found" aria-label={text("found")}>
      <h3>{text("found")}</h3>
      <ul>
        {hits.map(({ name, message }) => (
          <li key={message.mid}>
            <button
              type="button"
              className="contact"
              onClick={() => props.onChoose(message.chatId, message.mid)}
            >
              <span className="contact-text">
                <span className="contact-name ellipsis">
                  {groupIdOf(message.chatId) === null ? remark(message.chatId, name) : named(name)}
                </span>
                <span className="contact-last ellipsis">
                  <MessagePreview message={message} />
                </span>
              </span>
              <span className="contact-side">{relative(message.time)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
