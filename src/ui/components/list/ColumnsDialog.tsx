/** Shows and hides columns of a list: a click moves a column between the two lists. */
import { Button } from "@arco-design/web-react";
import { IconLeft, IconRight } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../dialog/Dialog.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useFocusBack } from "../useFocusBack.ts";
import { LIST_TEXTS } from "./texts.ts";
import "./columns-dialog.css";

export function ColumnsDialog(props: {
  /** Titles in the order of the list. */
  readonly titles: readonly string[];
  /** Indexes of hidden columns. */
  readonly hidden: readonly number[];
  readonly onChange: (hidden: readonly number[]) => void;
  readonly onClose: () => void;
}) {
  const { titles } = props;
  const { t } = useTranslation();
  const text = useTexts(LIST_TEXTS);
  const [hidden, setHidden] = useState<readonly number[]>(props.hidden);
  useFocusBack(() => null);
  const none = hidden.length >= titles.length;
  const move = (index: number): void =>
    setHidden(hidden.includes(index) ? hidden.filter((one) => one !== index) : [...hidden, index]);
  const side = (isHidden: boolean) => (
    <section aria-label={text(isHidden ? "hidden" : "shown")}>
      <h3>{text(isHidden ? "hidden" : "shown")}</h3>
      <ul>
        {titles.map((title, index) =>
          hidden.includes(index) === isHidden ? (
            <li key={title}>
              <button
                type="button"
                aria-label={`${text(isHidden ? "shown" : "hidden")} ${title}`}
                onClick={() => move(index)}
              >
                {isHidden && <IconLeft aria-hidden="true" />}
                <span className="ellipsis">{title}</span>
                {!isHidden && <IconRight aria-hidden="true" />}
              </button>
            </li>
          ) : null,
        )}
      </ul>
    </section>
  );
  return (
    <Dialog
      visible
      title={text("columns")}
      onCancel={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>{t("common.cancel")}</Button>
          <Button
            type="primary"
            disabled={none}
            onClick={() => {
              props.onChange(hidden.toSorted((a, b) => a - b));
              props.onClose();
            }}
          >
            {t("common.ok")}
          </Button>
        </>
      }
    >
      <div className="columns-dialog">
        {side(false)}
        {side(true)}
      </div>
      <p className="columns-dialog-note" role="status">
        {none ? text("oneColumn") : text("columnsHint")}
      </p>
    </Dialog>
  );
}
