/** People and groups: first those with messages and the groups (newest first), then the others in the server's order. */
import { Button, Input, Radio, Skeleton } from "@arco-design/web-react";
import "@arco-design/web-react/es/Radio/style/css.js";
import { IconSearch } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTexts } from "../../../i18n/texts.ts";
import { useAccount, useOutage, useSlice } from "../../../state/services.ts";
import { useDrafts } from "../../../state/useDrafts.ts";
import { useRelativeTime } from "../../../state/time.ts";
import { BookEntry } from "../book/BookEntry.tsx";
import { ContactRow } from "./ContactRow.tsx";
import { useContactRows } from "../common/useContactRows.ts";
import { ConversationMenu, type ConversationMenuAt } from "./ConversationMenu.tsx";
import { LIST_FILTERS, type ListFilter, passesFilter } from "../common/conversations.ts";
import { FoundMessages } from "./FoundMessages.tsx";
import { GroupCallBanner } from "../../group-call/GroupCallBanner.tsx";
import { GroupMenu } from "../groups/GroupMenu.tsx";
import { LIST_TEXTS } from "./list-texts.ts";
import { LoadNote } from "../../contacts/LoadNote.tsx";
import { useVirtualList } from "../../../components/useVirtualList.ts";
import { ContactsNone } from "../../contacts/PeopleToChoose.tsx";
import type { Contacts } from "../../contacts/useContacts.ts";

/** px of a row */
const ROW = 54;

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
  /** The conversation that is open or was last: its row gets the focus back (useListFocus). */
  const [latest, setLatest] = useState(chosen);
  if (chosen !== null && chosen !== latest) setLatest(chosen);
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
    latest,
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
        <LoadNote
          failure={contacts.state === "failed" && outage === null ? t("people.failed") : null}
          onRetry={contacts.retry}
        />
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
