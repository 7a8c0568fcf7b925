/** Stands in the composer's place while messages are selected: how many they are, and what can be done with them. */
import { Button } from "@arco-design/web-react";
import {
  IconClose,
  IconDelete,
  IconOrderedList,
  IconShareInternal,
} from "@arco-design/web-react/icon";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore, useFrozenSlice, useSlice } from "../../../state/services.ts";
import { combinedWords } from "./combined-words.ts";
import { messagePreview } from "../common/conversations.ts";
import { useConversations } from "../common/conversations-now.ts";
import { useConfirm } from "../common/group-texts.ts";
import { SELECT_TEXTS } from "./select-texts.ts";
import { isSelectable } from "./useSelection.ts";
import { useTalk } from "./useTalk.tsx";
import "./selection.css";

export function SelectionBar(props: {
  readonly chatId: string;
  /** Of the person or group. */
  readonly name: string;
}) {
  const { chatId, name } = props;
  const { t } = useTranslation();
  const text = useTexts(SELECT_TEXTS);
  const core = useCore();
  const confirm = useConfirm();
  const { selected, endSelecting, forward } = useTalk();
  const session = useSlice("session");
  const { names } = useFrozenSlice("chat");
  const conversation = useConversations()[chatId];
  // a message may be taken back, or leave the list, while it is selected
  const messages = (conversation?.order ?? []).flatMap((id) => {
    const message = conversation?.messages[id];
    const chosen = message !== undefined && isSelectable(message) && selected?.has(id) === true;
    return chosen ? [message] : [];
  });
  const nothing = messages.length === 0;

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event;
      const elsewhere =
        target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null;
      if (event.key !== "Escape" || event.defaultPrevented || elsewhere) return;
      document.querySelector<HTMLElement>(".messages")?.focus();
      endSelecting();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [endSelecting]);

  const nameOf = (from: string): string =>
    from === session.chatUserName ? session.name : (names[from] ?? (from === chatId ? name : from));
  const title =
    groupIdOf(chatId) === null
      ? text("titlePerson", { me: session.name, name })
      : text("titleGroup");
  const combine = (): void =>
    forward(
      messages,
      combinedWords(
        title,
        messages.map((message) => ({
          name: nameOf(message.from),
          text: messagePreview(message, t),
        })),
      ),
    );
  const erase = (): void =>
    confirm(text("erase"), text("eraseAsk", { count: messages.length }), async () => {
      await core.commands.chat.erase({ chatId, ids: messages.map(({ id }) => id) });
      endSelecting();
    });
  return (
    <div className="selection" role="toolbar" aria-label={text("toolbar")}>
      <Button
        type="text"
        aria-label={text("end")}
        title={text("end")}
        icon={<IconClose />}
        onClick={endSelecting}
      />
      <span className="selection-count" role="status">
        {text("selected", { count: messages.length })}
      </span>
      <span className="selection-hint ellipsis">{text("hint")}</span>
      <div className="selection-acts">
        <Button
          icon={<IconShareInternal />}
          disabled={nothing}
          onClick={() => forward(messages, null)}
        >
          {text("each")}
        </Button>
        <Button icon={<IconOrderedList />} disabled={nothing} onClick={combine}>
          {text("combined")}
        </Button>
        <Button icon={<IconDelete />} disabled={nothing} onClick={erase}>
          {text("erase")}
        </Button>
      </div>
    </div>
  );
}
