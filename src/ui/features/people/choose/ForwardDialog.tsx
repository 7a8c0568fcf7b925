/** Chooses the people and groups to whom messages are sent on, one by one or combined. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/dialog/Dialog.tsx";
import { CHAT_FORWARD_MAX } from "../../../../shared/domain/chat-limits.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { useFocusBack } from "../../../components/useFocusBack.ts";
import { errorText } from "../../../i18n/index.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore } from "../../../state/services.ts";
import { showMessage } from "../../../state/show-message.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { messagePreview } from "../common/conversations.ts";
import { GROUP_TEXTS } from "../common/group-texts.ts";
import { type Chosen, PeopleChoice, placeOf } from "./PeopleChoice.tsx";
import { SELECT_TEXTS } from "../messages/select-texts.ts";
import { useContactRows } from "../common/useContactRows.ts";
import { useContacts } from "../../contacts/useContacts.ts";
import "../../contacts/groups.css";
import { useOnce } from "../../../components/form/useOnce.ts";
import "../messages/selection.css";
import { SubmitButtons } from "../../../components/dialog/DialogButtons.tsx";

/** What a combined message says about the messages in it. */
export interface Combined {
  readonly title: string;
  readonly summary: string;
}

export function ForwardDialog(props: {
  readonly messages: readonly ChatMessage[];
  /** What one message of them all says; null sends them one by one. */
  readonly combined: Combined | null;
  readonly onSent: () => void;
  readonly onClose: () => void;
}) {
  const { messages, combined } = props;
  const [message] = messages;
  const { t } = useTranslation();
  const core = useCore();
  const text = useTexts(CHAT_TEXTS);
  const selectText = useTexts(SELECT_TEXTS);
  const groupText = useTexts(GROUP_TEXTS);
  const [keyword, setKeyword] = useState("");
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const contacts = useContacts(keyword);
  const all = useContactRows(contacts, keyword);
  // nothing can be sent to a group that the person has left
  const rows = all
    .filter(({ person, members }) => person !== null || members !== null)
    .map(({ chatId: key, name, person, members }) => ({
      key,
      name,
      place: person === null ? groupText("count", { count: members ?? 0 }) : placeOf(person),
      avatar: person?.avatar ?? null,
    }));
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));

  const choose = (next: Chosen): void => {
    setFailure(null);
    setChosen(next);
  };
  const submit = useOnce(async (): Promise<void> => {
    if (busy) return;
    if (chosen.size === 0) return setFailure(text("forwardNobody"));
    if (chosen.size > CHAT_FORWARD_MAX) {
      return setFailure(text("forwardMany", { max: CHAT_FORWARD_MAX }));
    }
    setBusy(true);
    try {
      const chatId = message?.chatId ?? "";
      const ids = messages.map(({ id }) => id);
      const to = [...chosen.keys()];
      await core.commands.chat.forward({ chatId, ids, to, combined });
    } catch (error) {
      setBusy(false);
      return setFailure(errorText(error));
    }
    showMessage("success", text("forwarded"));
    props.onSent();
    props.onClose();
  });

  return (
    <Dialog
      visible
      title={text("forwardTo")}
      className="form-dialog"
      footer={null}
      maskClosable={false}
      onCancel={props.onClose}
      unmountOnExit
    >
      <form
        className="group-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {combined === null ? (
          <p className="forward-message ellipsis">
            {messages.length > 1
              ? selectText("eachOf", { count: messages.length })
              : message !== undefined && messagePreview(message, t)}
          </p>
        ) : (
          <p className="forward-message">
            {combined.title}
            <span className="forward-summary">{combined.summary}</span>
          </p>
        )}
        <PeopleChoice
          contacts={contacts}
          rows={rows}
          keyword={keyword}
          onKeyword={setKeyword}
          chosen={chosen}
          onChosen={choose}
          texts={{
            search: text("forwardSearch"),
            list: text("forwardTo"),
            none: t("people.noMatch"),
            chosen: text("forwardChosen", { count: chosen.size }),
          }}
        />
        {failure !== null && (
          <p className="form-failure" role="alert">
            {failure}
          </p>
        )}
        <SubmitButtons label={text("forward")} busy={busy} onCancel={props.onClose} />
      </form>
    </Dialog>
  );
}
