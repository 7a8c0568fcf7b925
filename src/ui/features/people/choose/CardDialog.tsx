/** Chooses the person whose card is sent. */
import { Input } from "@arco-design/web-react";
import { IconSearch } from "@arco-design/web-react/icon";
import { useState } from "react";
import { Dialog } from "../../../components/dialog/Dialog.tsx";
import { Avatar } from "../../../components/Avatar.tsx";
import { useFocusBack } from "../../../components/useFocusBack.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { useCore } from "../../../state/services.ts";
import { showError } from "../../../state/show-message.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { placeOf } from "./PeopleChoice.tsx";
import { ContactsAround } from "../../contacts/PeopleToChoose.tsx";
import type { Person } from "../common/useContactRows.ts";
import { useContacts } from "../../contacts/useContacts.ts";
import "../../contacts/groups.css";

export default function CardDialog(props: {
  /** The conversation to which the card goes. */
  readonly chatId: string;
  readonly onClose: () => void;
}) {
  const { chatId, onClose } = props;
  const core = useCore();
  const text = useTexts(CHAT_TEXTS);
  const [keyword, setKeyword] = useState("");
  const [busy, setBusy] = useState(false);
  const remark = useRemarks();
  const contacts = useContacts(keyword);
  useFocusBack(() => document.querySelector<HTMLElement>(".composer textarea"));
  const rows = contacts.list.filter(({ userName }) => userName !== chatId);
  const send = async ({ userName, name }: Person): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await core.commands.chat.sendCard({ chatId, person: { userName, name } });
      onClose();
    } catch (error) {
      setBusy(false);
      showError(error);
    }
  };
  return (
    <Dialog
      visible
      title={text("sendCard")}
      className="form-dialog"
      footer={null}
      onCancel={onClose}
      unmountOnExit
    >
      <Input
        allowClear
        prefix={<IconSearch aria-hidden="true" />}
        aria-label={text("cardSearch")}
        placeholder={text("cardSearch")}
        value={keyword}
        maxLength={100}
        onChange={setKeyword}
      />
      <div className="group-choice">
        <ContactsAround
          contacts={contacts}
          empty={rows.length === 0}
          none={text("cardNone")}
          onClear={keyword.trim() === "" ? null : () => setKeyword("")}
        >
          {rows.map((person) => (
            <button
              key={person.userName}
              type="button"
              className="group-person card-person"
              disabled={busy}
              onClick={() => void send(person)}
            >
              <Avatar name={remark(person.userName, person.name)} src={person.avatar} size={32} />
              <span className="group-person-text">
                <span className="ellipsis">{remark(person.userName, person.name)}</span>
                {placeOf(person) !== "" && (
                  <span className="ellipsis group-person-place">{placeOf(person)}</span>
                )}
              </span>
            </button>
          ))}
        </ContactsAround>
      </div>
    </Dialog>
  );
}
