/** The rows of a list, of which only the visible ones are rendered, with a mark per row and actions at its end. */
import { Button, Checkbox } from "@arco-design/web-react";
import "@arco-design/web-react/es/Checkbox/style/css.js";
import type { CSSProperties, ReactNode } from "react";
import { useTexts } from "../../i18n/texts.ts";
import type { Rows } from "../../state/useRows.ts";
import { useVirtualRows } from "../useVirtualRows.ts";
import { LIST_TEXTS } from "./texts.ts";

const ROW_HEIGHT = 44;
/** px; also the least width of a row, for each of its columns. */
const COLUMN_WIDTH = 128;
const CHOICE_WIDTH = 44;
const ACTION_WIDTH = 72;
const NO_VALUE = "–";
/** Most rows that can be chosen, as the server accepts that many at a time. */
export const MOST_CHOSEN = 100;

export interface Column<T> {
  readonly title: string;
  /** Null is shown as "–". */
  readonly render: (row: T) => ReactNode;
  /** Shown until the row is loaded. */
  readonly pending?: ReactNode;
  readonly className?: string;
  /** Width as a track of CSS grid. */
  readonly width?: string;
}

export interface RowAction<T> {
  readonly label: string;
  readonly danger?: boolean;
  /** Whether the row has the action. */
  readonly when?: (row: T) => boolean;
  readonly onClick: (row: T) => void;
}

export interface Choice<T> {
  readonly has: (row: T) => boolean;
  /** Rows that cannot be chosen have no mark. */
  readonly may: (row: T) => boolean;
  readonly toggle: (rows: readonly T[], chosen: boolean) => void;
}

export interface ListTableProps<T> {
  readonly label: string;
  readonly rows: Pick<Rows<T>, "total" | "row" | "need">;
  readonly columns: readonly Column<T>[];
  readonly actions?: readonly RowAction<T>[];
  readonly choice?: Choice<T> | undefined;
  /** The name of a row, by which its buttons are told apart. */
  readonly nameOf: (row: T) => string;
  readonly hidden?: boolean;
}

export function ListTable<T>(props: ListTableProps<T>) {
  const { rows, columns, actions = [], choice, nameOf } = props;
  const text = useTexts(LIST_TEXTS);
  const { box, height, items } = useVirtualRows(rows.total, ROW_HEIGHT, rows.need);
  const actionWidth = actions.length * ACTION_WIDTH;
  const tracks: CSSProperties = {
    gridTemplateColumns: [
      ...(choice === undefined ? [] : [`${CHOICE_WIDTH}px`]),
      ...columns.map(({ width = "minmax(120px, 1fr)" }) => width),
      ...(actions.length === 0 ? [] : [`${actionWidth}px`]),
    ].join(" "),
    minWidth:
      columns.length * COLUMN_WIDTH + actionWidth + (choice === undefined ? 0 : CHOICE_WIDTH),
  };
  const first: readonly T[] =
    choice === undefined
      ? []
      : Array.from({ length: Math.min(rows.total, MOST_CHOSEN) }, (_, index) => rows.row(index))
          .filter((row) => row !== undefined)
          .filter(choice.may);
  const allChosen = first.length > 0 && first.every((row) => choice?.has(row) === true);
  return (
    <div
      ref={box}
      className="list-page-rows"
      role="table"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rows.total + 1}
      hidden={props.hidden === true}
    >
      <div style={{ height, position: "relative" }}>
        <div role="row" className="list-page-row list-page-head" style={tracks} aria-rowindex={1}>
          {choice !== undefined && (
            <span role="columnheader">
              <Checkbox
                aria-label={text("chooseAll", { count: MOST_CHOSEN })}
                checked={allChosen}
                disabled={first.length === 0}
                onChange={(checked) => choice.toggle(first, checked)}
              />
            </span>
          )}
          {columns.map(({ title }) => (
            <span key={title} role="columnheader">
              {title}
            </span>
          ))}
          {actions.length > 0 && (
            <span role="columnheader" className="list-page-actions">
              {text("actions")}
            </span>
          )}
        </div>
        {items.map((item) => {
          const row = rows.row(item.index);
          return (
            <div
              key={item.key}
              role="row"
              aria-rowindex={item.index + 2}
              className="list-page-row"
              data-chosen={row !== undefined && choice?.has(row) === true}
              style={{ ...tracks, transform: `translateY(${item.start}px)` }}
            >
              {choice !== undefined && (
                <span role="cell">
                  {row !== undefined && choice.may(row) && (
                    <Checkbox
                      aria-label={text("choose", { row: item.index + 1 })}
                      checked={choice.has(row)}
                      onChange={(checked) => choice.toggle([row], checked)}
                    />
                  )}
                </span>
              )}
              {columns.map(({ title, render, pending = NO_VALUE, className = "ellipsis" }) => (
                <span key={title} role="cell" className={className}>
                  {row === undefined ? pending : (render(row) ?? NO_VALUE)}
                </span>
              ))}
              {actions.length > 0 && (
                <span role="cell" className="list-page-actions">
                  {row !== undefined &&
                    actions
                      .filter(({ when }) => when?.(row) !== false)
                      .map(({ label, danger, onClick }) => (
                        <Button
                          key={label}
                          type="text"
                          size="small"
                          aria-label={`${label} ${nameOf(row)}`}
                          {...(danger === true ? { status: "danger" as const } : {})}
                          onClick={() => onClick(row)}
                        >
                          {label}
                        </Button>
                      ))}
                </span>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
