/** Contacts: first those with messages (newest first), then the others in the server's order. */
import { Button, Input, Skeleton } from "@arco-design/web-react";
import { IconSearch } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import type { Contact } from "../../../shared/protocol/rest/entities.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { CountBadge } from "../../components/Badge.tsx";
import { useOutage, useSlice } from "../../state/services.ts";
import { useConversations, usePresence } from "./conversations-now.ts";
import { useRelativeTime } from "../../state/time.ts";
import {
  lastMessage,
  messagePreview,
  recentConversations,
  type ConversationView,
} from "./conversations.ts";
import type { Contacts } from "./useContacts.ts";

export type Person = Contact;

interface Row {
  readonly person: Person;
  readonly conversation: ConversationView | undefined;
}

function useRows(contacts: Contacts, keyword: string): readonly Row[] {
  const conversations = useConversations();
  const word = keyword.trim().toLowerCase();
  const byName = new Map(contacts.list.map((c) => [c.userName, c]));
  const recent: Row[] = recentConversations<ConversationView>(conversations)
    .filter((c) => byName.has(c.chatId) || c.name.toLowerCase().includes(word))
    .map((c) => ({
      conversation: c,
      person: byName.get(c.chatId) ?? {
        userName: c.chatId,
        name: c.name,
        avatar: "",
        department: null,
        position: null,
        online: false,
      },
    }));
  const shown = new Set(recent.map((r) => r.person.userName));
  const others = contacts.list
    .filter((c) => !shown.has(c.userName))
    .map((person) => ({ person, conversation: conversations[person.userName] }));
  return [...recent, ...others];
}

export function ContactList(props: {
  readonly contacts: Contacts;
  readonly keyword: string;
  readonly onKeyword: (keyword: string) => void;
  readonly chosen: string | null;
  readonly onChoose: (userName: string) => void;
}) {
  const { contacts, keyword, chosen } = props;
  const { t } = useTranslation();
  const { connection, statusText } = useSlice("chat");
  const outage = useOutage();
  const relative = useRelativeTime();
  const rows = useRows(contacts, keyword);
  return (
    <aside className="contacts" aria-label={t("people.list")}>
      <div className="contacts-top">
        <Input
          allowClear
          prefix={<IconSearch aria-hidden="true" />}
          placeholder={t("people.search")}
          aria-label={t("people.search")}
          value={keyword}
          maxLength={100}
          onChange={props.onKeyword}
        />
      </div>
      <div role="status">
        {connection !== "open" && (
          <p className="contacts-offline">
            {t(`chatStatus.${statusText}`)}
            {connection !== "closed" && ` · ${t(`connection.${connection}`)}`}
          </p>
        )}
      </div>
      <div className="contacts-scroll">
        {contacts.state === "loading" && rows.length === 0 ? (
          <div className="contacts-skeleton" role="status" aria-label={t("common.loading")}>
            {[0, 1, 2, 3, 4].map((n) => (
              <Skeleton key={n} animation image={{ shape: "circle" }} text={{ rows: 2 }} />
            ))}
          </div>
        ) : (
          <ul>
            {rows.map((row) => (
              <ContactRow
                key={row.person.userName}
                row={row}
                active={row.person.userName === chosen}
                relative={relative}
                onChoose={props.onChoose}
              />
            ))}
          </ul>
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
          <p className="contacts-note">
            {t(keyword.trim() === "" ? "people.empty" : "people.noMatch")}
          </p>
        )}
        {contacts.state === "ready" && contacts.hasMore && (
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

function ContactRow(props: {
  readonly row: Row;
  readonly active: boolean;
  readonly relative: (time: number) => string;
  readonly onChoose: (userName: string) => void;
}) {
  const { t } = useTranslation();
  const { person, conversation } = props.row;
  const last = conversation === undefined ? undefined : lastMessage(conversation);
  const isOnline = usePresence()(person);
  const place = [person.department, person.position].filter((x) => x).join(" · ");
  return (
    <li>
      <button
        type="button"
        className="contact"
        data-user={person.userName}
        data-online={isOnline ?? "unknown"}
        aria-current={props.active ? "true" : undefined}
        onClick={() => props.onChoose(person.userName)}
      >
        <Avatar name={person.name} src={person.avatar} size={40} online={isOnline ?? undefined} />
        <span className="contact-text">
          <span className="contact-name ellipsis">{person.name}</span>
          {(last !== undefined || place !== "") && (
            <span className="contact-last ellipsis">
              {last === undefined ? place : messagePreview(last, t)}
            </span>
          )}
        </span>
        <span className="visually-hidden">
          {t(
            isOnline === null
              ? "common.presenceUnknown"
              : isOnline
                ? "common.online"
                : "common.offline",
          )}
        </span>
        <span className="contact-side">
          {last !== undefined && <span>{props.relative(last.time)}</span>}
          <CountBadge
            count={conversation?.unread ?? 0}
            label={t("people.unread", { count: conversation?.unread ?? 0 })}
          />
        </span>
      </button>
    </li>
  );
}
