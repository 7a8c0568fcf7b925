/** People: contacts on the left, the conversation with one of them on the right. The chosen person is in the URL. */
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
import { IconMessage } from "@arco-design/web-react/icon";
import { chatUserNameSchema } from "../../../shared/protocol/rest/entities.ts";
import { useConversations, usePresence } from "./conversations-now.ts";
import { ContactList, type Person } from "./ContactList.tsx";
import { ConversationPane } from "./ConversationPane.tsx";
import { useContacts } from "./useContacts.ts";
import "./people.css";

export default function PeoplePage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [keyword, setKeyword] = useState("");
  const contacts = useContacts(keyword);
  const conversations = useConversations();
  const isOnline = usePresence();
  const wanted = params.get("chat");
  const chatId = wanted !== null && chatUserNameSchema.safeParse(wanted).success ? wanted : null;

  // keep the chosen person while the list is searched
  const [known, setKnown] = useState<Person | null>(null);
  const found = contacts.list.find((c) => c.userName === chatId);
  if (found !== undefined && found !== known) setKnown(found);
  const conversation = chatId === null ? undefined : conversations[chatId];
  const chosen: Person | null =
    chatId === null
      ? null
      : (found ??
        (known?.userName === chatId ? known : null) ?? {
          userName: chatId,
          name: conversation?.name ?? chatId,
          avatar: "",
          department: null,
          position: null,
          online: false,
        });
  // after a reload wait for the list, so that the conversation opens with its person's name
  const ready = found !== undefined || conversation !== undefined || contacts.state !== "loading";

  const choose = useCallback(
    (userName: string | null) => setParams(userName === null ? {} : { chat: userName }),
    [setParams],
  );
  return (
    <div className="panel people" data-open={chosen !== null}>
      <ContactList
        contacts={contacts}
        keyword={keyword}
        onKeyword={setKeyword}
        chosen={chatId}
        onChoose={choose}
      />
      {chosen === null || !ready ? (
        <div className="people-none">
          <IconMessage aria-hidden="true" />
          <p>{t("people.pick")}</p>
          <span>{t("people.pickHint")}</span>
        </div>
      ) : (
        <ConversationPane
          key={chosen.userName}
          person={chosen}
          online={isOnline(chosen)}
          onBack={() => choose(null)}
        />
      )}
    </div>
  );
}
