/** Parts of every choice of people: what a list of contacts says around its rows, and the row of one person or group. */
import { Button, Checkbox } from "@arco-design/web-react";
import "@arco-design/web-react/es/Checkbox/style/css.js";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/Avatar.tsx";
import { NothingFound } from "../../components/NothingFound.tsx";
import { GroupAvatar } from "./GroupAvatar.tsx";
import { LoadNote } from "./LoadNote.tsx";
import type { Contacts } from "./useContacts.ts";
import "./groups.css";

/** There are no people: at all, or none that the search finds. */
export function ContactsNone(props: {
  readonly text: string;
  readonly onClear: (() => void) | null;
}) {
  const { text, onClear } = props;
  return onClear === null ? (
    <p className="contacts-note">{text}</p>
  ) : (
    <NothingFound text={text} onClear={onClear} />
  );
}

/** The rows, with a note while they load, when they could not, when there are none, and a button for more. */
export function ContactsAround(props: {
  readonly contacts: Contacts;
  /** There are no rows. */
  readonly empty: boolean;
  /** Says so. */
  readonly none: string;
  /** Shows all again; null or left out: nothing is searched. */
  readonly onClear?: (() => void) | null;
  readonly children: ReactNode;
}) {
  const { contacts, empty } = props;
  const { t } = useTranslation();
  return (
    <>
      <LoadNote
        missing={contacts.state === "loading" && empty}
        failure={contacts.state === "failed" ? t("people.failed") : null}
        onRetry={contacts.retry}
      />
      {contacts.state === "ready" && empty && (
        <ContactsNone text={props.none} onClear={props.onClear ?? null} />
      )}
      {props.children}
      {contacts.state === "ready" && contacts.hasMore && (
        <div className="contacts-note">
          <Button size="small" loading={contacts.loadingMore} onClick={contacts.more}>
            {t("common.more")}
          </Button>
        </div>
      )}
    </>
  );
}

export function PersonToChoose(props: {
  readonly name: string;
  /** What stands below the name; "" for nothing. */
  readonly place: string;
  /** Null for a group. */
  readonly avatar: string | null;
  readonly chosen: boolean;
  readonly onChange: (chosen: boolean) => void;
}) {
  const { name, place, avatar } = props;
  return (
    <Checkbox className="group-person" checked={props.chosen} onChange={props.onChange}>
      {avatar === null ? <GroupAvatar /> : <Avatar name={name} src={avatar} size={32} />}
      <span className="group-person-text">
        <span className="ellipsis">{name}</span>
        {place !== "" && <span className="ellipsis group-person-place">{place}</span>}
      </span>
    </Checkbox>
  );
}
