/** The filters that a person has saved for a list: use, save, delete. */
import { Button, Input } from "@arco-design/web-react";
import { IconDelete } from "@arco-design/web-react/icon";
import { type FormEvent, useState } from "react";
import { Dialog } from "../dialog/Dialog.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useFocusBack } from "../useFocusBack.ts";
import { SAVED_TEXTS } from "./dialog-texts.ts";
import { MOST_SAVED, NAME_MAX, type Saved } from "./useSaved.ts";
import type { ListQuery } from "./useListQuery.ts";
import "./saved-dialog.css";

const isEmpty = ({ keyword, values, sort, filter }: ListQuery): boolean =>
  keyword.trim() === "" &&
  sort === null &&
  filter === null &&
  Object.values(values).every((value) => value === "");

export function SavedDialog(props: {
  readonly saved: Saved;
  readonly query: ListQuery;
  readonly onUse: (query: ListQuery) => void;
  readonly onClose: () => void;
}) {
  const { saved, query } = props;
  const text = useTexts(SAVED_TEXTS);
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  useFocusBack(() => null);
  const nothing = isEmpty(query);
  const word = name.trim();
  const replaces = saved.list.some((one) => one.name === word);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (nothing) return;
    if (word === "") return setWrong(text("needsName"));
    if (!replaces && saved.list.length >= MOST_SAVED) {
      return setWrong(text("full", { count: MOST_SAVED }));
    }
    saved.save(word, query);
    setName("");
    setWrong(null);
  };
  const note = wrong ?? (nothing ? text("nothing") : replaces ? text("replaced") : "");
  return (
    <Dialog visible title={text("title")} footer={null} onCancel={props.onClose} unmountOnExit>
      {saved.list.length === 0 ? (
        <p className="saved-none">{text("none")}</p>
      ) : (
        <ul className="saved-list">
          {saved.list.map((one) => (
            <li key={one.name}>
              <Button
                type="text"
                aria-label={text("apply", { name: one.name })}
                onClick={() => {
                  props.onUse(one.query);
                  props.onClose();
                }}
              >
                <span className="ellipsis">{one.name}</span>
              </Button>
              <Button
                type="text"
                icon={<IconDelete />}
                aria-label={text("remove", { name: one.name })}
                title={text("remove", { name: one.name })}
                onClick={() => saved.remove(one.name)}
              />
            </li>
          ))}
        </ul>
      )}
      <form className="saved-form" onSubmit={save}>
        <Input
          aria-label={text("name")}
          placeholder={text("name")}
          maxLength={NAME_MAX}
          value={name}
          disabled={nothing}
          aria-invalid={wrong !== null}
          aria-describedby="saved-note"
          onChange={(value) => {
            setName(value);
            setWrong(null);
          }}
        />
        <Button type="primary" htmlType="submit" disabled={nothing}>
          {text("save")}
        </Button>
      </form>
      <p id="saved-note" className="saved-note" data-wrong={wrong !== null} role="status">
        {note}
      </p>
    </Dialog>
  );
}
