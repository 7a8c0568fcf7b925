/** People and groups: first those with messages (newest first), then groups, then the others in the server's order. */
import { Button, Input, Radio, Skeleton } from "@arco-design/web-react";
import "@arco-design/web-react/es/Radio/style/css.js";
import {
  IconMore,
  IconNotificationClose,
  IconPushpin,
  IconSearch,
} from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { groupIdOf } from "../../../shared/domain/group-chat.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { CountBadge } from "../../components/Badge.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useRemarks } from "../../state/remarks.ts";
import { useAccount, useFrozenSlice, useOutage, useSlice } from "../../state/services.ts";
import { useDrafts } from "../../state/useDrafts.ts";
import { usePresence } from "./conversations-now.ts";
import { MessagePreview } from "./MessagePreview.tsx";
import { useRelativeTime } from "../../state/time.ts";
import { BookEntry } from "./BookEntry.tsx";
import { type ContactRow as Row, useContactRows } from "./useContactRows.ts";
import { ConversationMenu, type ConversationMenuAt } from "./ConversationMenu.tsx";
import {
  isMentioned,
  lastMessage,
  LIST_FILTERS,
  type ListFilter,
  passesFilter,
} from "./conversations.ts";
import { FoundMessages } from "./FoundMessages.tsx";
import { GROUP_TEXTS } from "./group-texts.ts";
import { GroupCallBanner } from "../group-call/GroupCallBanner.tsx";
import { GroupAvatar } from "./GroupAvatar.tsx";
import { GroupMenu } from "./GroupMenu.tsx";
import { LIST_TEXTS } from "./list-texts.ts";
import { useVirtualList } from "../../components/useVirtualList.ts";
import { placeOf } from "./PeopleChoice.tsx";
import { ContactsNone } from "./PeopleToChoose.tsx";
import type { Contacts } from "./useContacts.ts";

/** px of a row */
const ROW = 60;

export function ContactList(props: {
  readonly contacts: Contacts;
  readonly keyword: string;
  readonly onKeyword: (keyword: string) => void;
  readonly chosen: string | null;
  /** @param mid a message to which the list leads */
  readonly onChoose: (chatId: string, mid?: string) => void;
  /** Opens the contact book. */
  readonly onBook: () => void;
}) {
  const { contacts, keyword, chosen } = props;
  const { t } = useTranslation();
  const { connection, statusText } = useSlice("chat");
  const outage = useOutage();
  const relative = useRelativeTime();
  const [filter, setFilter] = useState<ListFilter>("all");
  const [menu, setMenu] = useState<ConversationMenuAt | null>(null);
  const all = useContactRows(contacts, keyword);
  // Keep the open conversation listed, even when reading it makes it fail the filter.
  const rows = all.filter((row) => row.chatId === chosen || passesFilter(filter, row));
  const listText = useTexts(LIST_TEXTS);
  const drafts = useDrafts(useAccount());
  const { box, height, items, measure, keeping } = useVirtualList(
    rows.length,
    ROW,
    (index) => rows[index]?.chatId ?? index,
    `${filter} ${keyword}`,
  );
  return (
    <aside className="contacts" aria-label={t("people.list")}>
      <div className="contacts-top">
        <Input
          allowClear
          prefix={<IconSearch aria-hidden="true" />}
          placeholder={listText("search")}
          aria-label={t("people.search")}
          value={keyword}
          maxLength={100}
          onChange={props.onKeyword}
        />
        <GroupMenu onChoose={props.onChoose} />
      </div>
      <GroupCallBanner groupId={null} />
      <Radio.Group
        className="contacts-filter"
        type="button"
        size="mini"
        aria-label={listText("filter")}
        value={filter}
        onChange={setFilter}
        options={LIST_FILTERS.map((value) => ({ value, label: listText(value) }))}
      />
      <BookEntry onOpen={props.onBook} />
      <div role="status">
        {connection !== "open" && (
          <p className="contacts-offline">
            {t(`chatStatus.${statusText}`)}
            {connection !== "closed" && ` · ${t(`connection.${connection}`)}`}
          </p>
        )}
      </div>
      <div ref={box} className="contacts-scroll">
        {contacts.state === "loading" && rows.length === 0 ? (
          <div className="contacts-skeleton" role="status" aria-label={t("common.loading")}>
            {[0, 1, 2, 3, 4].map((n) => (
              <Skeleton key={n} animation image={{ shape: "circle" }} text={{ rows: 2 }} />
            ))}
          </div>
        ) : (
          <ul className="contacts-rows" style={{ height }} {...keeping}>
            {items.map(({ index, key, start }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <ContactRow
                  key={key}
                  measure={measure}
                  row={row}
                  index={index}
                  count={rows.length}
                  start={start}
                  active={row.chatId === chosen}
                  draft={drafts[row.chatId]}
                  relative={relative}
                  onChoose={props.onChoose}
                  onMenu={setMenu}
                />
              );
            })}
          </ul>
        )}
        <FoundMessages keyword={keyword} relative={relative} onChoose={props.onChoose} />
        {menu !== null && <ConversationMenu at={menu} onClose={() => setMenu(null)} />}
        {contacts.state === "loading" && rows.length > 0 && (
          <p className="contacts-note" role="status">
            {t("common.loading")}
          </p>
        )}
        {contacts.state === "failed" && outage === null && (
          <div className="contacts-note" role="alert">
            {t("people.failed")}
            <Button size="small" onClick={contacts.retry}>
              {t("common.retry")}
            </Button>
          </div>
        )}
        {contacts.state === "ready" && rows.length === 0 && (
          <ContactsNone
            text={
              filter === "all"
                ? t(keyword.trim() === "" ? "people.empty" : "people.noMatch")
                : listText("noneSuch")
            }
            onClear={
              filter === "all" && keyword.trim() === ""
                ? null
                : () => {
                    props.onKeyword("");
                    setFilter("all");
                  }
            }
          />
        )}
        {contacts.state === "ready" && contacts.hasMore && filter === "all" && (
          <div className="contacts-note">
            <Button size="small" loading={contacts.loadingMore} onClick={contacts.more}>
              {t("common.more")}
            </Button>
          </div>
        )}
      </div>
    </aside>
  );
}

function ContactRow({
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
  const menuAt = (x: number, y: number): void =>
    props.onMenu({ chatId, name, x, y, opener: document.activeElement });
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
        menuAt(event.clientX, event.clientY);
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
      {props.active && (
        <Button
          className="contact-more"
          size="mini"
          type="text"
          aria-label={listText("actions", { name })}
          aria-haspopup="menu"
          icon={<IconMore />}
          onClick={(event) => {
            if (!(event.target instanceof Element)) return;
            const box = (event.target.closest("button") ?? event.target).getBoundingClientRect();
            menuAt(box.left, box.bottom);
          }}
        />
      )}
    </li>
  );
}
