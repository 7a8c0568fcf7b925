/** Order and choice of a list's columns. Shown ones are dragged, or moved by buttons or Alt and an arrow key; a click hides or shows one. */
import { Button } from "@arco-design/web-react";
import {
  IconDown,
  IconDragDotVertical,
  IconLeft,
  IconRight,
  IconUp,
} from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../dialog/Dialog.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useFocusBack } from "../useFocusBack.ts";
import { type ColumnLayout, moved } from "./columnLayout.ts";
import { COLUMNS_TEXTS } from "./dialog-texts.ts";
import { LIST_TEXTS } from "./texts.ts";
import { useMoving } from "./useMoving.ts";
import "./columns-dialog.css";

export interface NamedColumn {
  readonly key: string;
  readonly title: string;
}

export function ColumnsDialog(props: {
  /** In the order in which the list declares them. */
  readonly columns: readonly NamedColumn[];
  readonly layout: ColumnLayout;
  readonly onChange: (layout: ColumnLayout) => void;
  readonly onClose: () => void;
}) {
  const { columns } = props;
  const { t } = useTranslation();
  const text = useTexts(COLUMNS_TEXTS);
  const common = useTexts(LIST_TEXTS);
  const [layout, setLayout] = useState(props.layout);
  const [said, setSaid] = useState("");
  useFocusBack(() => null);
  const titleOf = (key: string): string => columns.find((one) => one.key === key)?.title ?? "";
  const { order, hidden } = layout;
  const shown = order.filter((key) => !hidden.includes(key));
  const moveTo = (key: string, place: number): void => {
    // hidden columns keep their neighbours before them
    const next = moved(shown, key, place);
    if (next.every((one, index) => one === shown[index])) return;
    const rest = [...next];
    setLayout({
      ...layout,
      order: order.map((one) => (hidden.includes(one) ? one : (rest.shift() ?? one))),
    });
    const at = next.indexOf(key) + 1;
    setSaid(text("columnMoved", { title: titleOf(key), place: at, count: next.length }));
  };
  const {
    list,
    dragged,
    step: move,
    ...moving
  } = useMoving<HTMLUListElement>(shown, moveTo, "hide");
  const toggle = (key: string): void => {
    setSaid("");
    setLayout({
      ...layout,
      hidden: hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key],
    });
  };
  const arrow = (key: string, index: number, step: -1 | 1) => {
    const part = step < 0 ? "up" : "down";
    return (
      <button
        type="button"
        data-part={part}
        disabled={step < 0 ? index === 0 : index === shown.length - 1}
        aria-label={text(step < 0 ? "columnUp" : "columnDown", { title: titleOf(key) })}
        onClick={() => move(key, step, part)}
      >
        {step < 0 ? <IconUp aria-hidden="true" /> : <IconDown aria-hidden="true" />}
      </button>
    );
  };
  const none = shown.length === 0;
  return (
    <Dialog
      visible
      title={common("columns")}
      onCancel={props.onClose}
      footer={
        <>
          <Button
            className="columns-dialog-reset"
            onClick={() => {
              setLayout({ order: columns.map(({ key }) => key), hidden: [], widths: {} });
              setSaid(text("columnsReset"));
            }}
          >
            {text("resetColumns")}
          </Button>
          <Button onClick={props.onClose}>{t("common.cancel")}</Button>
          <Button
            type="primary"
            disabled={none}
            onClick={() => {
              props.onChange(layout);
              props.onClose();
            }}
          >
            {t("common.ok")}
          </Button>
        </>
      }
    >
      <div className="columns-dialog">
        <section aria-label={text("shown")}>
          <h3>{text("shown")}</h3>
          <ul ref={list}>
            {shown.map((key, index) => (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the buttons in it
              <li
                key={key}
                data-key={key}
                data-dragged={dragged === key}
                onKeyDown={(event) => moving.onKeyDown(key, event)}
              >
                <span
                  className="columns-dialog-handle"
                  onPointerDown={(event) => moving.onHandleDown(key, event)}
                >
                  <IconDragDotVertical aria-hidden="true" />
                </span>
                <button
                  type="button"
                  data-part="hide"
                  aria-label={`${text("hidden")} ${titleOf(key)}`}
                  onClick={() => toggle(key)}
                >
                  <span className="ellipsis">{titleOf(key)}</span>
                  <IconRight aria-hidden="true" />
                </button>
                {arrow(key, index, -1)}
                {arrow(key, index, 1)}
              </li>
            ))}
          </ul>
        </section>
        <section aria-label={text("hidden")}>
          <h3>{text("hidden")}</h3>
          <ul>
            {order
              .filter((key) => hidden.includes(key))
              .map((key) => (
                <li key={key}>
                  <button
                    type="button"
                    data-part="show"
                    aria-label={`${text("shown")} ${titleOf(key)}`}
                    onClick={() => toggle(key)}
                  >
                    <IconLeft aria-hidden="true" />
                    <span className="ellipsis">{titleOf(key)}</span>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      </div>
      <p className="columns-dialog-note">{none ? text("oneColumn") : text("columnsHint")}</p>
      <p className="columns-dialog-note" role="status">
        {said}
      </p>
    </Dialog>
  );
}
