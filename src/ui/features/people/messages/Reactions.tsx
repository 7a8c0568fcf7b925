/** The reactions below a message: how many, who, and whether this person is among them. A click adds or takes back one's own. */
import type { ChatReaction } from "../../../../shared/protocol/chat-parts.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { useSenderName } from "./useQuotes.ts";

/** Names that a reaction shows. */
const SHOWN = 10;

export function Reactions(props: {
  readonly chatId: string;
  readonly message: ChatMessage;
  readonly reactions: readonly ChatReaction[];
  readonly onReact: (message: ChatMessage, reaction: string) => void;
}) {
  const { message, reactions, onReact } = props;
  const text = useTexts(CHAT_TEXTS);
  const nameOf = useSenderName(props.chatId);
  return (
    <div className="message-reactions" role="group" aria-label={text("reactions")}>
      {reactions.map(({ reaction, count, users, bySelf }) => {
        const names = users.slice(0, SHOWN).map(nameOf).join("、");
        const who = count > SHOWN ? text("reactedMany", { names, count }) : names;
        return (
          <button
            key={reaction}
            type="button"
            aria-pressed={bySelf}
            aria-label={text("reacted", { reaction, count, who })}
            title={who}
            onClick={() => onReact(message, reaction)}
          >
            <span aria-hidden="true">{reaction}</span>
            <span aria-hidden="true">{count}</span>
          </button>
        );
      })}
    </div>
  );
}
