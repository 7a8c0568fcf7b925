/** A conversation, a group or a person of a list: name, last message, what is unread, and the menu. */
import { Button } from "@arco-design/web-react";
import { IconMore, IconNotificationClose, IconPushpin } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { CountBadge } from "../../../components/Badge.tsx";
import { menuAtPointer, menuOfButton, type OpenedMenu } from "../../../components/menu-point.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { useFrozenSlice } from "../../../state/services.ts";
import { usePresence } from "../common/conversations-now.ts";
import type { ConversationMenuAt } from "./ConversationMenu.tsx";
import { isMentioned, lastMessage } from "../common/conversations.ts";
import { GROUP_TEXTS } from "../common/group-texts.ts";
import { GroupAvatar } from "../../contacts/GroupAvatar.tsx";
import { LIST_TEXTS } from "./list-texts.ts";
import { MessagePreview } from "./MessagePreview.tsx";
import { placeOf } from "../choose/PeopleChoice.tsx";
import type { ContactRow as Row } from "../common/useContactRows.ts";

export function ContactRow({
  measure,
  ...props
}: {
  readonly measure: (element: Element | null) => void;
  readonly row: Row;
  readonly index: number;
  /** Rows of the list. */
  readonly count: number;
  /** px from the top of the list */
  readonly start: number;
  readonly active: boolean;
  readonly relative: (time: number) => string;
  readonly draft: string | undefined;
  readonly onChoose: (chatId: string) => void;
  readonly onMenu: (at: ConversationMenuAt) => void;
}) {
  const { t } = useTranslation();
  const text = useTexts(GROUP_TEXTS);
  const listText = useTexts(LIST_TEXTS);
  const { chatId, person, name, members, conversation } = props.row;
  const { names, keeping } = useFrozenSlice("chat");
  const remark = useRemarks();
  // the text of the open conversation stands in its input
  const draft = props.active ? undefined : props.draft;
  const pinned = Object.hasOwn(keeping.pinned, chatId);
  const muted = Object.hasOwn(keeping.muted, chatId);
  const openMenu = (at: OpenedMenu | null): void => {
    if (at !== null) props.onMenu({ chatId, name, ...at });
  };
  const last = conversation === undefined ? undefined : lastMessage(conversation);
  const presence = usePresence();
  const isOnline = person === null ? undefined : presence(person);
  const place =
    person === null
      ? members === null
        ? text("notIn")
        : text("count", { count: members })
      : placeOf(person);
  /** In a group the last message says whose it is. */
  const sender =
    person === null && last !== undefined && !last.bySelf && last.status !== "recall"
      ? `${remark(last.from, names[last.from] ?? last.from)}：`
      : "";
  return (
    <li
      ref={measure}
      className="contact-row"
      data-index={props.index}
      aria-setsize={props.count}
      aria-posinset={props.index + 1}
      style={{ transform: `translateY(${props.start}px)` }}
      data-pinned={pinned}
      onContextMenu={(event) => {
        event.preventDefault();
        openMenu(menuAtPointer(event));
      }}
    >
      <button
        type="button"
        className="contact"
        {...(person === null
          ? { "data-group": groupIdOf(chatId) }
          : { "data-user": chatId, "data-online": isOnline ?? "unknown" })}
        aria-current={props.active ? "true" : undefined}
        onClick={() => props.onChoose(chatId)}
      >
        {person === null ? (
          <GroupAvatar size={40} />
        ) : (
          <Avatar
            name={name}
            src={person.avatar}
            person={person.userName}
            size={40}
            online={isOnline ?? undefined}
          />
        )}
        <span className="contact-text">
          <span className="contact-name ellipsis" translate="no">
            {name}
          </span>
          {(last !== undefined || place !== "" || draft !== undefined) && (
            <span className="contact-last ellipsis">
              {draft !== undefined ? (
                <>
                  <span className="contact-draft">{listText("draft")}</span>
                  <span translate="no">{draft}</span>
                </>
              ) : (
                <>
                  {conversation !== undefined && isMentioned(conversation) && (
                    <span className="contact-draft">{listText("mentioned")}</span>
                  )}
                  {last === undefined ? (
                    place
                  ) : (
                    <>
                      {sender}
                      <MessagePreview message={last} />
                    </>
                  )}
                </>
              )}
            </span>
          )}
        </span>
        {isOnline !== undefined && (
          <span className="visually-hidden">
            {t(
              isOnline === null
                ? "common.presenceUnknown"
                : isOnline
                  ? "common.online"
                  : "common.offline",
            )}
          </span>
        )}
        <span className="contact-side">
          {last !== undefined && <span>{props.relative(last.time)}</span>}
          <span className="contact-marks" data-muted={muted}>
            {pinned && <IconPushpin aria-label={listText("pinned")} />}
            {muted && <IconNotificationClose aria-label={listText("muted")} />}
            <CountBadge
              count={conversation?.unread ?? 0}
              label={t("people.unread", { count: conversation?.unread ?? 0 })}
            />
          </span>
        </span>
      </button>
      <Button
        className="contact-more"
        data-active={props.active}
        size="mini"
        type="text"
        aria-label={listText("actions", { name })}
        aria-haspopup="menu"
        icon={<IconMore />}
        onClick={(event) => openMenu(menuOfButton(event))}
      />
    </li>
  );
}
