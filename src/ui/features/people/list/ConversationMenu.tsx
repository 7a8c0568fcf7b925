/** What can be done with a conversation of the list, as a menu beside it. */
import {
  IconDelete,
  IconNotification,
  IconNotificationClose,
  IconPushpin,
  IconStop,
} from "@arco-design/web-react/icon";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { ContextMenu } from "../../../components/ContextMenu.tsx";
import type { OpenedMenu } from "../../../components/menu-point.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore, useFrozenSlice } from "../../../state/services.ts";
import { showError } from "../../../state/show-message.ts";
import { FRIEND_TEXTS } from "../common/friend-texts.ts";
import { LIST_TEXTS } from "./list-texts.ts";
import { MenuItem } from "../common/MenuItem.tsx";
import { useBlocking, useIsBlocked } from "../common/useBlocking.ts";

export interface ConversationMenuAt extends OpenedMenu {
  readonly chatId: string;
  readonly name: string;
}

export function ConversationMenu(props: {
  readonly at: ConversationMenuAt;
  readonly onClose: () => void;
}) {
  const { at } = props;
  const { chatId, opener } = at;
  const text = useTexts(LIST_TEXTS);
  const friendText = useTexts(FRIEND_TEXTS);
  const blocking = useBlocking();
  const blocked = useIsBlocked(chatId);
  const person = { userName: chatId, name: at.name };
  const { commands } = useCore();
  const { keeping, conversations } = useFrozenSlice("chat");
  const pinned = Object.hasOwn(keeping.pinned, chatId);
  const muted = Object.hasOwn(keeping.muted, chatId);
  const close = (refocus: boolean): void => {
    props.onClose();
    if (refocus && opener instanceof HTMLElement) opener.focus();
  };
  const run = (act: () => Promise<unknown>): void => {
    close(true);
    act().catch(showError);
  };
  return (
    <ContextMenu at={at} label={text("actions", { name: at.name })} onClose={close}>
      <MenuItem
        icon={<IconPushpin aria-hidden="true" />}
        onClick={() => run(() => commands.chat.pin({ chatId, on: !pinned }))}
      >
        {text(pinned ? "unpin" : "pin")}
      </MenuItem>
      <MenuItem
        icon={
          muted ? (
            <IconNotification aria-hidden="true" />
          ) : (
            <IconNotificationClose aria-hidden="true" />
          )
        }
        onClick={() => run(() => commands.chat.mute({ chatId, on: !muted }))}
      >
        {text(muted ? "unmute" : "mute")}
      </MenuItem>
      {groupIdOf(chatId) === null && (
        <MenuItem
          icon={<IconStop aria-hidden="true" />}
          onClick={() => {
            close(true);
            if (blocked) void blocking.unblock(person);
            else blocking.block(person);
          }}
        >
          {friendText(blocked ? "unblock" : "block")}
        </MenuItem>
      )}
      {(conversations[chatId]?.order.length ?? 0) > 0 && (
        <MenuItem
          icon={<IconDelete aria-hidden="true" />}
          onClick={() => run(() => commands.chat.forget({ chatId }))}
        >
          {text("forget")}
        </MenuItem>
      )}
    </ContextMenu>
  );
}
