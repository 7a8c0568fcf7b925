/** A row of a list. While the list scrolls, only rows that come into sight render. */
import { memo, type MouseEvent as ReactMouseEvent } from "react";
import type { Language } from "../../i18n/index.ts";
import { textOf } from "../../i18n/texts.ts";
import { type Choice, type Column, keyOf, type RowAction } from "./columns.ts";
import { PlainButton, PlainMark } from "./PlainControls.tsx";
import { LIST_TEXTS } from "./texts.ts";

const NO_VALUE = "–";

/** Whether a click on a row is meant for the row: not for a control in it, and not for marking a text. */
const isForRow = ({ target }: ReactMouseEvent): boolean =>
  target instanceof Element &&
  target.closest("button, a, label, input") === null &&
  getSelection()?.isCollapsed !== false;

interface ListRowProps<T> {
  readonly index: number;
  /** px from the top of the list. */
  readonly start: number;
  /** undefined until it is loaded. */
  readonly row: T | undefined;
  readonly columns: readonly Column<T>[];
  readonly actions: readonly RowAction<T>[];
  readonly choice: Choice<T> | undefined;
  readonly nameOf: (row: T) => string;
  readonly onOpen: ((index: number) => void) | undefined;
  readonly isOpen: boolean;
  /** A row in another language is another one. */
  readonly language: Language;
  readonly onFocus: (index: number) => void;
  /** @param range with all rows since the one that was marked last */
  readonly onChoose: (index: number, chosen: boolean, range: boolean) => void;
}

function Row<T>(props: ListRowProps<T>) {
  const { index, start, row, columns, actions, choice, nameOf, onOpen } = props;
  return (
    <div
      role="row"
      tabIndex={-1}
      data-index={index}
      aria-rowindex={index + 2}
      className="list-page-row"
      data-chosen={(row !== undefined && choice?.has(row) === true) || undefined}
      data-opens={onOpen !== undefined || undefined}
      data-open={props.isOpen || undefined}
      style={{ transform: `translateY(${start}px)` }}
      onFocus={() => props.onFocus(index)}
      onClick={(event) => {
        if (row !== undefined && isForRow(event)) onOpen?.(index);
      }}
    >
      {choice !== undefined && (
        <span role="cell">
          {row !== undefined && choice.may(row) && (
            <PlainMark
              label={textOf(LIST_TEXTS, "choose", { row: index + 1 })}
              checked={choice.has(row)}
              onChange={(checked, shift) => props.onChoose(index, checked, shift)}
            />
          )}
        </span>
      )}
      {columns.map((column) => {
        const { render, pending = NO_VALUE, className = "ellipsis", verbatim } = column;
        return (
          <span
            key={keyOf(column)}
            role="cell"
            className={className}
            translate={verbatim === true ? "no" : undefined}
          >
            {row === undefined ? pending : (render(row) ?? NO_VALUE)}
          </span>
        );
      })}
      {actions.length > 0 && (
        <span role="cell" className="list-page-actions">
          {row !== undefined && (
            <RowButtons row={row} index={index} actions={actions} name={nameOf(row)} />
          )}
        </span>
      )}
    </div>
  );
}

// `memo` forgets the type parameter of a component.
export const ListRow = memo(Row) as unknown as typeof Row;

/** The actions that a row has, as buttons. */
export function RowButtons<T>(props: {
  readonly row: T;
  readonly index: number;
  readonly actions: readonly RowAction<T>[];
  /** The name of the row, which makes the names of equal buttons unique. */
  readonly name: string;
}) {
  const { row, index, actions, name } = props;
  return actions
    .filter(({ when }) => when?.(row) !== false)
    .map(({ label, call, danger, onClick }) => (
      <PlainButton
        key={label}
        call={call}
        name={`${label} ${name}`}
        danger={danger === true}
        onClick={() => onClick(row, index)}
      >
        {label}
      </PlainButton>
    ));
}
