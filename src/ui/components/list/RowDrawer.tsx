/** One row of a list beside it: all columns, also hidden ones, and its actions. Arrow keys lead to the rows before and after it. */
import { Button, Drawer } from "@arco-design/web-react";
import "@arco-design/web-react/es/Drawer/style/css.js";
import { IconLeft, IconRight } from "@arco-design/web-react/icon";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { AppError } from "../../../shared/errors.ts";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useMediaQuery } from "../../state/services.ts";
import type { Rows } from "../../state/useRows.ts";
import { CloseCross } from "../dialog/CloseCross.tsx";
import { RowButtons } from "./ListRow.tsx";
import { type Column, keyOf, type RowAction } from "./columns.ts";
import { LIST_TEXTS } from "./texts.ts";
import type { OpenRow } from "./useOpenRow.ts";
import "./row-drawer.css";

const WIDTH = 480;
const WIDE = 760;
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
};

export function RowDrawer<T>(props: {
  readonly open: OpenRow<T>;
  readonly rows: Pick<Rows<T>, "total" | "need">;
  readonly columns: readonly Column<T>[];
  readonly actions: readonly RowAction<T>[];
  readonly nameOf: (row: T) => string;
  /** What the page shows above the columns, in a wider drawer. */
  readonly head?: ((row: T) => ReactNode) | undefined;
  /** What the page shows below the columns. */
  readonly more?: ((row: T) => ReactNode) | undefined;
  readonly onMove: (index: number) => void;
  /** @param then follows the close */
  readonly onClose: (then?: () => void) => void;
}) {
  const { rows, columns, actions, nameOf, onMove, onClose } = props;
  const { index, row, state, error } = props.open;
  const { t } = useTranslation();
  const text = useTexts(LIST_TEXTS);
  const narrow = useMediaQuery(`(max-width: ${props.head === undefined ? 720 : WIDE + 80}px)`);
  const body = useRef<HTMLElement>(null);
  const { need } = rows;
  useEffect(() => {
    if (index !== null) need(index, index);
  }, [need, index]);
  const last = useRef(index);
  useEffect(() => {
    last.current = index;
  }, [index]);
  useEffect(
    () => () =>
      // the row that was looked at last
      document
        .querySelector<HTMLElement>(`.list-page-row[data-index="${last.current}"]`)
        ?.focus({ preventScroll: true }),
    [],
  );
  const move = (step: number): void => {
    if (index === null) return;
    const next = index + step;
    if (next >= 0 && next < rows.total) onMove(next);
  };
  const moves = useRef(move);
  const close = useRef(onClose);
  useEffect(() => {
    moves.current = move;
    close.current = onClose;
  });
  useEffect(() => {
    // in the window, because the library gives the focus to different parts of the drawer
    const onKeyDown = (event: KeyboardEvent): void => {
      const step = STEPS[event.key];
      // a dialog that was opened from the row has the keys for itself
      const elsewhere =
        event.target instanceof Element &&
        event.target.closest("input, textarea, .arco-modal-wrapper") !== null;
      if (elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Escape") close.current();
      // a chart in the drawer has used the key
      if (step === undefined || event.defaultPrevented) return;
      event.preventDefault();
      moves.current(step);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <Drawer
      visible
      closeIcon={<CloseCross />}
      className="row-drawer"
      title={text("detail")}
      width={narrow ? "100%" : props.head === undefined ? WIDTH : WIDE}
      onCancel={() => onClose()}
      unmountOnExit
      afterOpen={() => body.current?.focus({ preventScroll: true })}
      footer={
        <div className="row-drawer-foot">
          {index !== null && (
            <>
              <Button
                icon={<IconLeft />}
                aria-label={text("before")}
                title={text("before")}
                disabled={index === 0}
                onClick={() => move(-1)}
              />
              <span className="tnum" role="status">
                {index + 1} / {rows.total}
              </span>
              <Button
                icon={<IconRight />}
                aria-label={text("after")}
                title={text("after")}
                disabled={index >= rows.total - 1}
                onClick={() => move(1)}
              />
            </>
          )}
          <span className="row-drawer-actions">
            {row !== undefined && (
              <RowButtons
                row={row}
                index={index ?? -1}
                name={nameOf(row)}
                actions={actions.map((action) => ({
                  ...action,
                  onClick: (one: T) => onClose(() => action.onClick(one, index ?? -1)),
                }))}
              />
            )}
          </span>
        </div>
      }
    >
      <section ref={body} role="dialog" aria-label={text("detail")} tabIndex={-1}>
        {row === undefined ? (
          <p role={state === "gone" ? "alert" : "status"}>
            {state !== "gone"
              ? t("common.loading")
              : error === null || AppError.from(error).code === "request.not-found"
                ? text(error === null ? "rowElsewhere" : "rowGone")
                : errorText(error)}
          </p>
        ) : (
          <>
            {index === null && <p className="row-drawer-note">{text("rowOutside")}</p>}
            {props.head?.(row)}
            <dl className="row-drawer-facts" data-wide={props.head !== undefined}>
              {columns.map((column) => (
                <div key={keyOf(column)}>
                  <dt>{column.title}</dt>
                  <dd>{column.render(row) ?? "–"}</dd>
                </div>
              ))}
            </dl>
            {props.more?.(row)}
          </>
        )}
      </section>
    </Drawer>
  );
}
