/** A friend: a click opens the conversation; remark, removal and block are in a menu. */
import { Button } from "@arco-design/web-react";
import { IconDelete, IconEdit, IconMore, IconStop } from "@arco-design/web-react/icon";
import { useState } from "react";
import { FRIEND_REMARK_MAX } from "../../../../shared/protocol/friend-model.ts";
import type { ChatFriends } from "../../../../shared/protocol/friend-model.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { ContextMenu } from "../../../components/ContextMenu.tsx";
import { FormDialog } from "../../../components/form/FormDialog.tsx";
import { menuAtPointer, menuOfButton, type OpenedMenu } from "../../../components/menu-point.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore } from "../../../state/services.ts";
import { FRIEND_TEXTS } from "../common/friend-texts.ts";
import { useConfirm } from "../common/group-texts.ts";
import { MenuItem } from "../common/MenuItem.tsx";
import { useBlocking } from "../common/useBlocking.ts";

export function FriendRow(props: {
  readonly friend: Readonly<ChatFriends["list"][number]>;
  readonly active: boolean;
  readonly onChoose: (chatId: string) => void;
}) {
  const { friend } = props;
  const { userName } = friend;
  const name = friend.remark === "" ? friend.name : friend.remark;
  const text = useTexts(FRIEND_TEXTS);
  const blocking = useBlocking();
  const { commands } = useCore();
  const confirm = useConfirm();
  const [menu, setMenu] = useState<OpenedMenu | null>(null);
  const [naming, setNaming] = useState(false);
  const close = (refocus: boolean): void => {
    setMenu(null);
    if (refocus && menu?.opener instanceof HTMLElement) menu.opener.focus();
  };
  const run = (act: () => void): void => {
    close(true);
    act();
  };
  return (
    <li
      className="contact-row"
      onContextMenu={(event) => {
        event.preventDefault();
        setMenu(menuAtPointer(event));
      }}
    >
      <button
        type="button"
        className="contact"
        data-user={userName}
        aria-current={props.active ? "true" : undefined}
        onClick={() => props.onChoose(userName)}
      >
        <Avatar name={friend.name} src={friend.avatar} person={userName} size={36} />
        <span className="contact-text">
          <span className="contact-name ellipsis" translate="no">
            {name}
          </span>
          {friend.remark !== "" && <span className="contact-last ellipsis">{friend.name}</span>}
        </span>
      </button>
      <Button
        className="book-more"
        size="mini"
        type="text"
        aria-label={text("actions", { name })}
        aria-haspopup="menu"
        icon={<IconMore />}
        onClick={(event) => setMenu(menuOfButton(event))}
      />
      {menu !== null && (
        <ContextMenu at={menu} label={text("actions", { name })} onClose={close}>
          <MenuItem
            icon={<IconEdit aria-hidden="true" />}
            onClick={() => run(() => setNaming(true))}
          >
            {text("remark")}
          </MenuItem>
          <MenuItem
            icon={<IconStop aria-hidden="true" />}
            onClick={() => run(() => blocking.block({ userName, name }))}
          >
            {text("block")}
          </MenuItem>
          <MenuItem
            icon={<IconDelete aria-hidden="true" />}
            onClick={() =>
              run(() =>
                confirm(text("remove"), text("removeAsk", { name }), () =>
                  commands.friend.remove({ userName }),
                ),
              )
            }
          >
            {text("remove")}
          </MenuItem>
        </ContextMenu>
      )}
      {naming && (
        <FormDialog
          title={text("remarkOf", { name: friend.name })}
          fields={[
            {
              key: "remark",
              label: text("remarkLabel"),
              max: FRIEND_REMARK_MAX,
              hint: text("remarkHint"),
            },
          ]}
          values={{ remark: friend.remark }}
          save={({ remark = "" }) => commands.friend.remark({ userName, remark })}
          onClose={() => setNaming(false)}
        />
      )}
    </li>
  );
}
