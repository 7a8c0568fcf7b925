/** Leads from the list of conversations to the contact book. Its badge counts the friend requests that wait for this person. */
import { IconRight, IconUser } from "@arco-design/web-react/icon";
import { CountBadge } from "../../../components/Badge.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { useFrozenSlice } from "../../../state/services.ts";
import { BOOK_TEXTS } from "./book-texts.ts";

export function BookEntry({ onOpen }: { readonly onOpen: () => void }) {
  const text = useTexts(BOOK_TEXTS);
  const { friends } = useFrozenSlice("chat");
  const count = friends.requests.filter(({ kind }) => kind === "received").length;
  return (
    <button type="button" className="book-entry" onClick={onOpen}>
      <IconUser aria-hidden="true" />
      <span className="contact-name">{text("book")}</span>
      <CountBadge count={count} label={text("waiting", { count })} />
      <IconRight aria-hidden="true" />
    </button>
  );
}
