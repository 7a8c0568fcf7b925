/** What can be done with a message, as a menu beside it. */
import type { ReactNode } from "react";
import {
  IconCopy,
  IconEdit,
  IconCheckSquare,
  IconReply,
  IconShareInternal,
  IconUndo,
} from "@arco-design/web-react/icon";
import { CHAT_REACTIONS } from "../../../../shared/domain/chat-limits.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { ContextMenu, type MenuPoint } from "../../../components/ContextMenu.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { MenuItem } from "../common/MenuItem.tsx";

const MESSAGE_ACTIONS = ["answer", "copy", "forward", "select", "edit", "recall"] as const;
export type MessageAction = (typeof MESSAGE_ACTIONS)[number];
export interface MessageMenuAt extends MenuPoint {
  /** The message is new enough to be taken back. */
  readonly recent: boolean;
}

const ICONS: Readonly<Record<MessageAction, ReactNode>> = {
  answer: <IconReply aria-hidden="true" />,
  copy: <IconCopy aria-hidden="true" />,
  forward: <IconShareInternal aria-hidden="true" />,
  select: <IconCheckSquare aria-hidden="true" />,
  edit: <IconEdit aria-hidden="true" />,
  recall: <IconUndo aria-hidden="true" />,
};

/** What may be done with the message now. */
function actionsOf(
  { mid, type, file, combined, place, custom, bySelf }: ChatMessage,
  recent: boolean,
) {
  const has = mid !== null;
  const isText = type === "text";
  const may: Readonly<Record<MessageAction, boolean>> = {
    answer: has,
    copy: isText,
    forward:
      has &&
      (isText ||
        place !== undefined ||
        custom !== undefined ||
        (file?.url ?? combined?.url ?? null) !== null),
    select: has,
    edit: has && isText && bySelf,
    recall: has && bySelf && recent,
  };
  return MESSAGE_ACTIONS.filter((action) => may[action]);
}

export function MessageMenu(props: {
  readonly at: MessageMenuAt;
  /** As it is now: the server may confirm it while the menu is open, which adds entries. */
  readonly message: ChatMessage;
  readonly onReact: (message: ChatMessage, reaction: string) => void;
  readonly onAct: (action: MessageAction, message: ChatMessage) => void;
  readonly onClose: (refocus: boolean) => void;
}) {
  const { at, message, onAct, onClose } = props;
  const text = useTexts(CHAT_TEXTS);
  return (
    <ContextMenu at={at} label={text("actions")} onClose={onClose}>
      {message.mid !== null && (
        <div className="message-menu-reactions" role="none">
          {CHAT_REACTIONS.map((reaction) => (
            <button
              key={reaction}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-label={text("react", { reaction })}
              onClick={() => {
                onClose(true);
                props.onReact(message, reaction);
              }}
            >
              {reaction}
            </button>
          ))}
        </div>
      )}
      {actionsOf(message, at.recent).map((action) => (
        <MenuItem
          key={action}
          icon={ICONS[action]}
          onClick={() => {
            onClose(true);
            onAct(action, message);
          }}
        >
          {text(action)}
        </MenuItem>
      ))}
    </ContextMenu>
  );
}
