/** Chooses people, for a new group or for one that exists. */
import { Input } from "@arco-design/web-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/dialog/Dialog.tsx";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import { useFocusBack } from "../../../components/useFocusBack.ts";
import { useLeaveWarning } from "../../../components/useLeaveWarning.ts";
import { errorText } from "../../../i18n/index.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { ask } from "../../../state/ask.ts";
import { GROUP_TEXTS } from "../common/group-texts.ts";
import { type Chosen, PeopleChoice, placeOf } from "../choose/PeopleChoice.tsx";
import { useContacts } from "../../contacts/useContacts.ts";
import { useOnce } from "../../../components/form/useOnce.ts";
import "../../contacts/groups.css";
import { SubmitButtons } from "../../../components/dialog/DialogButtons.tsx";

export function GroupDialog(props: {
  readonly title: string;
  /** The dialog asks for the group's name and description too. */
  readonly named: boolean;
  /** Chat user names that cannot be chosen. */
  readonly without: ReadonlySet<string>;
  /** The dialog stays open when it rejects. */
  readonly save: (
    named: { readonly name: string; readonly description: string },
    members: string[],
  ) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const text = useTexts(GROUP_TEXTS);
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [keyword, setKeyword] = useState("");
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const contacts = useContacts(keyword);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  const rows = contacts.list
    .filter(({ userName }) => !props.without.has(userName))
    .map((person) => ({
      key: person.userName,
      name: person.name,
      place: placeOf(person),
      avatar: person.avatar,
    }));

  const choose = (next: Chosen): void => {
    setFailure(null);
    setChosen(next);
  };
  const unsaved = chosen.size > 0 || `${name}${description}`.trim() !== "";
  useLeaveWarning(unsaved);
  const close = (): void => {
    if (busy) return;
    if (!unsaved) return props.onClose();
    ask({
      title: t("common.hint"),
      content: text("discardAsk"),
      okText: text("discard"),
      cancelText: t("common.cancel"),
      onOk: props.onClose,
    });
  };
  const submit = useOnce(async (): Promise<void> => {
    if (busy) return;
    if (props.named && name.trim() === "") return setFailure(text("noName"));
    if (chosen.size === 0) return setFailure(text("nobody"));
    if (chosen.size > GROUP_LIMITS.invited) {
      return setFailure(text("tooMany", { max: GROUP_LIMITS.invited }));
    }
    setBusy(true);
    setFailure(null);
    try {
      const named = { name: name.trim(), description: description.trim() };
      await props.save(named, [...chosen.keys()]);
    } catch (error) {
      setBusy(false);
      return setFailure(errorText(error));
    }
    props.onClose();
  });

  return (
    <Dialog
      visible
      title={props.title}
      className="form-dialog"
      footer={null}
      maskClosable={false}
      onCancel={close}
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
        {props.named && (
          <>
            <Input
              aria-label={text("name")}
              placeholder={text("name")}
              value={name}
              maxLength={64}
              onChange={(next) => {
                setFailure(null);
                setName(next);
              }}
            />
            <Input.TextArea
              aria-label={text("description")}
              placeholder={text("descriptionOptional")}
              value={description}
              maxLength={500}
              rows={2}
              onChange={setDescription}
            />
          </>
        )}
        <PeopleChoice
          contacts={contacts}
          rows={rows}
          keyword={keyword}
          onKeyword={setKeyword}
          chosen={chosen}
          onChosen={choose}
          texts={{
            search: t("people.search"),
            list: text("choose"),
            none: keyword.trim() === "" ? text("noneLeft") : t("people.noMatch"),
            chosen: text("chosen", { count: chosen.size }),
          }}
        />
        {failure !== null && (
          <p className="form-failure" role="alert">
            {failure}
          </p>
        )}
        <SubmitButtons label={text("ok")} busy={busy} onCancel={close} />
      </form>
    </Dialog>
  );
}
