/** The contact book beside a conversation: friend requests, friends, blacklist and departments (docs/chat.md#contact-book). */
import { Button, Skeleton } from "@arco-design/web-react";
import { IconDown, IconLeft, IconRight, IconUserAdd } from "@arco-design/web-react/icon";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CountBadge } from "../../../components/Badge.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore, useFrozenSlice, useOutage } from "../../../state/services.ts";
import { showError } from "../../../state/show-message.ts";
import { AddFriendDialog } from "./AddFriendDialog.tsx";
import { BlockedRow } from "./BlockedRow.tsx";
import { BOOK_TEXTS } from "./book-texts.ts";
import { BookDepartments } from "./BookDepartments.tsx";
import { FRIEND_TEXTS } from "../common/friend-texts.ts";
import { FriendRequestRow } from "./FriendRequestRow.tsx";
import { FriendRow } from "./FriendRow.tsx";
import { LoadNote } from "../../contacts/LoadNote.tsx";
import "../../contacts/groups.css";
import "./book.css";

export interface BookProps {
  /** The conversation that is open. */
  readonly chosen: string | null;
  readonly onChoose: (chatId: string) => void;
  readonly onClose: () => void;
}

export default function ContactBook({ chosen, onChoose, onClose }: BookProps) {
  const { t } = useTranslation();
  const text = useTexts(FRIEND_TEXTS);
  const bookText = useTexts(BOOK_TEXTS);
  const core = useCore();
  const outage = useOutage();
  const { friends } = useFrozenSlice("chat");
  const [adding, setAdding] = useState(false);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const blocked = new Set(friends.blocked.map(({ userName }) => userName));
  const shown = friends.list.filter(({ userName }) => !blocked.has(userName));
  const received = friends.requests.filter(({ kind }) => kind === "received").length;
  const loading = friends.state === "loading";
  return (
    <aside
      className="contacts book"
      aria-label={bookText("book")}
      onKeyDown={(event) => {
        // React passes on the keys of dialogs and menus too, which stand elsewhere in the page
        const here = event.target instanceof Node && event.currentTarget.contains(event.target);
        if (here && event.key === "Escape" && !event.defaultPrevented) onClose();
      }}
    >
      <header className="book-top">
        <Button
          ref={back}
          type="text"
          aria-label={t("common.back")}
          icon={<IconLeft />}
          onClick={onClose}
        />
        <h2>{bookText("book")}</h2>
        <Button
          type="secondary"
          aria-label={text("add")}
          icon={<IconUserAdd />}
          onClick={() => setAdding(true)}
        />
      </header>
      <div className="contacts-scroll">
        <LoadNote
          failure={friends.state === "failed" && outage === null ? text("failed") : null}
          onRetry={() => void core.commands.friend.refresh({}).catch(showError)}
        />
        {loading && (
          <div className="contacts-skeleton" role="status" aria-label={t("common.loading")}>
            {[0, 1, 2].map((n) => (
              <Skeleton key={n} animation image={{ shape: "circle" }} text={{ rows: 2 }} />
            ))}
          </div>
        )}
        {!loading && (
          <>
            <Section
              title={text("fresh")}
              open={friends.requests.length > 0}
              side={
                <CountBadge count={received} label={bookText("waiting", { count: received })} />
              }
              none={friends.requests.length === 0 ? text("freshNone") : null}
            >
              {friends.requests.map((request) => (
                <FriendRequestRow key={`${request.kind} ${request.userName}`} request={request} />
              ))}
            </Section>
            <Section
              title={text("friends")}
              open
              side={shown.length}
              none={shown.length === 0 ? text("friendsNone") : null}
            >
              {shown.map((friend) => (
                <FriendRow
                  key={friend.userName}
                  friend={friend}
                  active={friend.userName === chosen}
                  onChoose={onChoose}
                />
              ))}
            </Section>
            <Section
              title={text("blocked")}
              open={false}
              side={friends.blocked.length}
              none={friends.blocked.length === 0 ? text("blockedNone") : null}
            >
              {friends.blocked.map((person) => (
                <BlockedRow key={person.userName} person={person} />
              ))}
            </Section>
          </>
        )}
        <Section title={text("departments")} open={false} side={null} none={null}>
          <BookDepartments chosen={chosen} onChoose={onChoose} />
        </Section>
      </div>
      {adding && <AddFriendDialog onClose={() => setAdding(false)} />}
    </aside>
  );
}

function Section(props: {
  readonly title: string;
  /** Whether it is unfolded at first. */
  readonly open: boolean;
  /** Stands at the end of the title's line. */
  readonly side: ReactNode;
  /** Stands there instead of the rows; null when there are rows. */
  readonly none: string | null;
  readonly children: ReactNode;
}) {
  const id = useId();
  // until the person folds it, it follows what it holds
  const [folded, setFolded] = useState<boolean | null>(null);
  const open = folded === null ? props.open : !folded;
  return (
    <section className="book-section">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setFolded(open)}
        >
          {open ? <IconDown aria-hidden="true" /> : <IconRight aria-hidden="true" />}
          <span>{props.title}</span>
          <span className="book-side">{props.side}</span>
        </button>
      </h3>
      <div id={id} hidden={!open}>
        {open &&
          (props.none === null ? (
            <ul aria-label={props.title}>{props.children}</ul>
          ) : (
            <p className="contacts-note">{props.none}</p>
          ))}
      </div>
    </section>
  );
}
