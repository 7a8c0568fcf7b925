/** People and groups on the left, the conversation with one of them on the right. The chosen one is in the URL. */
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
import { IconMessage } from "@arco-design/web-react/icon";
import { chatIdSchema, groupIdOf } from "../../../shared/domain/group-chat.ts";
import { retrying } from "../../state/retrying.ts";
import { useFrozenSlice } from "../../state/services.ts";
import { useConversations, usePresence } from "./common/conversations-now.ts";
import { ContactList } from "./list/ContactList.tsx";
import type { Person } from "./common/useContactRows.ts";
import { ConversationPane } from "./ConversationPane.tsx";
import { GroupPane } from "./GroupPane.tsx";
import { useContacts } from "../contacts/useContacts.ts";
import { TalkProvider } from "./messages/useTalk.tsx";
import { useListFocus } from "./list/useListFocus.ts";
import { useFriendChanges } from "./book/useFriendChanges.ts";
import "./people.css";
import "./messages/message-tools.css";

const ContactBook = lazy(() => retrying(() => import("./book/ContactBook.tsx")));

export default function PeoplePage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [keyword, setKeyword] = useState("");
  const contacts = useContacts(keyword);
  const conversations = useConversations();
  const isOnline = usePresence();
  const wanted = params.get("chat");
  const chatId = wanted !== null && chatIdSchema.safeParse(wanted).success ? wanted : null;

  // keep the chosen person while the list is searched
  const [known, setKnown] = useState<Person | null>(null);
  const found = contacts.list.find((c) => c.userName === chatId);
  if (found !== undefined && found !== known) setKnown(found);
  const conversation = chatId === null ? undefined : conversations[chatId];
  const { groups, friends } = useFrozenSlice("chat");
  const friend = friends.list.find(({ userName }) => userName === chatId);
  const chosen: Person | null =
    chatId === null
      ? null
      : (found ??
        (known?.userName === chatId ? known : null) ?? {
          userName: chatId,
          name: friend?.name ?? conversation?.name ?? (groupIdOf(chatId) === null ? chatId : ""),
          avatar: friend?.avatar ?? "",
          department: null,
          position: null,
          online: false,
        });
  // after a reload wait for the list, so that the conversation opens with its person's name
  const ready =
    found !== undefined ||
    friend !== undefined ||
    conversation !== undefined ||
    contacts.state !== "loading";

  const groupId = chatId === null ? null : groupIdOf(chatId);
  useFriendChanges(contacts.retry);
  const [book, setBook] = useState(false);
  // a conversation that this or another device takes out of the list closes
  const [opened, setOpened] = useState<string | null>(null);
  if (chatId === null && opened !== null) setOpened(null);
  if (conversation !== undefined && opened !== chatId) setOpened(chatId);
  const gone = chatId !== null && opened === chatId && conversation === undefined;
  const choose = useCallback(
    (userName: string | null, mid?: string) => {
      setParams(
        userName === null ? {} : { chat: userName, ...(mid === undefined ? {} : { at: mid }) },
      );
    },
    [setParams],
  );
  const closeBook = (): void => {
    flushSync(() => setBook(false));
    document.querySelector<HTMLElement>(".book-entry")?.focus();
  };
  useEffect(() => {
    if (gone) setParams({});
  }, [gone, setParams]);
  const page = useRef<HTMLDivElement>(null);
  useListFocus(page, ready ? chatId : null);
  return (
    <div ref={page} className="panel people" data-open={chosen !== null}>
      {book ? (
        <Suspense fallback={<aside className="contacts" aria-busy="true" />}>
          <ContactBook chosen={chatId} onChoose={choose} onClose={closeBook} />
        </Suspense>
      ) : (
        <ContactList
          contacts={contacts}
          keyword={keyword}
          onKeyword={setKeyword}
          chosen={chatId}
          onChoose={choose}
          onBook={() => setBook(true)}
        />
      )}
      {chosen === null || !ready ? (
        <div className="people-none">
          <IconMessage aria-hidden="true" />
          <p>{t("people.pick")}</p>
          <span>{t("people.pickHint")}</span>
        </div>
      ) : groupId !== null ? (
        <TalkProvider key={chosen.userName} at={params.get("at")}>
          <GroupPane
            groupId={groupId}
            name={groups[groupId]?.name ?? chosen.name}
            onBack={() => choose(null)}
          />
        </TalkProvider>
      ) : (
        <TalkProvider key={chosen.userName} at={params.get("at")}>
          <ConversationPane person={chosen} online={isOnline(chosen)} onBack={() => choose(null)} />
        </TalkProvider>
      )}
    </div>
  );
}
