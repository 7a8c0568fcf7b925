/** The table as a grid that renders only visible rows; arrow keys move between cells, cells are edited in place. */
import { useId, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useVirtualRows } from "../../components/useVirtualRows.ts";
import type { TableRow, Windows } from "./useWindows.ts";

const ROW_HEIGHT = 36;
const PAGE = 15;

export interface GridColumn {
  /** Column in the file. */
  readonly column: number;
  readonly title: string;
}
export interface CellPlace {
  readonly index: number;
  /** Index into the shown columns. */
  readonly at: number;
}

export function CheckGrid(props: {
  readonly windows: Windows;
  readonly columns: readonly GridColumn[];
  readonly active: CellPlace;
  readonly onActive: (place: CellPlace) => void;
  readonly onEdit: (row: number, column: number, value: string) => void;
}) {
  const { windows, columns, active, onActive } = props;
  const { t } = useTranslation();
  const id = useId();
  const [editing, setEditing] = useState<string | null>(null);
  /** Enter removes the focus; the blur that follows must not write a second time. */
  const open = useRef(false);
  const { box, space, items, scrollTo } = useVirtualRows(windows.total, ROW_HEIGHT, windows.need);

  const cellOf = (row: TableRow | undefined, at: number) => {
    const column = columns[at]?.column ?? -1;
    return {
      column,
      text: row?.cells[column] ?? "",
      issue: row?.issues.find((one) => one.column === column),
    };
  };
  const go = (index: number, at: number): void => {
    const place = {
      index: Math.max(0, Math.min(windows.total - 1, index)),
      at: Math.max(0, Math.min(columns.length - 1, at)),
    };
    onActive(place);
    scrollTo(place.index);
    box.current
      ?.querySelector(`[data-head="${place.at}"]`)
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const startEdit = (place: CellPlace): void => {
    const row = windows.row(place.index);
    if (row === undefined) return;
    open.current = true;
    setEditing(cellOf(row, place.at).text);
  };
  const endEdit = (value: string | null): void => {
    if (!open.current) return;
    open.current = false;
    const row = windows.row(active.index);
    const { column, text } = cellOf(row, active.at);
    setEditing(null);
    box.current?.focus();
    if (value !== null && row !== undefined && value !== text) props.onEdit(row.row, column, value);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (editing !== null || windows.total === 0) return;
    const { index, at } = active;
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(index + 1, at),
      ArrowUp: () => go(index - 1, at),
      ArrowRight: () => go(index, at + 1),
      ArrowLeft: () => go(index, at - 1),
      PageDown: () => go(index + PAGE, at),
      PageUp: () => go(index - PAGE, at),
      Home: () => (event.ctrlKey ? go(0, 0) : go(index, 0)),
      End: () => (event.ctrlKey ? go(windows.total - 1, at) : go(index, columns.length - 1)),
      Enter: () => startEdit(active),
      F2: () => startEdit(active),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  const template = `64px minmax(180px, 1.4fr) repeat(${columns.length}, minmax(132px, 1fr))`;
  const minWidth = 64 + 180 + columns.length * 132;
  return (
    <div
      ref={box}
      className="import-grid"
      role="grid"
      tabIndex={0}
      aria-label={t("imports.check.grid")}
      aria-describedby={`${id}-hint`}
      aria-rowcount={windows.total + 1}
      aria-colcount={columns.length + 2}
      aria-activedescendant={
        // A correction can take the row out of the list, and rows out of sight are not there.
        items.some((item) => item.index === active.index)
          ? `${id}-${active.index}-${active.at}`
          : undefined
      }
      onKeyDown={onKey}
    >
      <span id={`${id}-hint`} className="visually-hidden">
        {t("imports.check.editHint")}
      </span>
      <div style={{ ...space, minWidth }}>
        <div
          role="row"
          aria-rowindex={1}
          className="import-row import-head"
          style={{ gridTemplateColumns: template }}
        >
          <span role="columnheader" className="import-num">
            {t("imports.check.row")}
          </span>
          <span role="columnheader">{t("imports.check.reason")}</span>
          {columns.map((column, at) => (
            <span role="columnheader" key={column.column} data-head={at} className="ellipsis">
              {column.title}
            </span>
          ))}
        </div>
        {items.map((item) => {
          const row = windows.row(item.index);
          return (
            <div
              key={item.index}
              role="row"
              aria-rowindex={item.index + 2}
              data-bad={row?.issues.some((one) => one.warning !== true) === true}
              className="import-row"
              style={{
                gridTemplateColumns: template,
                transform: `translateY(${item.start}px)`,
              }}
            >
              <span role="rowheader" className="import-num tnum">
                {row?.row ?? "…"}
              </span>
              <span role="gridcell" className="import-reason ellipsis" title={reasons(row)}>
                {reasons(row)}
              </span>
              {columns.map((column, at) => {
                const { text, issue } = cellOf(row, at);
                const here = active.index === item.index && active.at === at;
                return (
                  <span
                    key={column.column}
                    id={`${id}-${item.index}-${at}`}
                    role="gridcell"
                    aria-selected={here}
                    aria-invalid={issue !== undefined && issue.warning !== true}
                    data-active={here}
                    data-wrong={issue !== undefined && issue.warning !== true}
                    data-warn={issue?.warning === true}
                    title={issue?.message ?? text}
                    className="import-cell ellipsis"
                    onClick={() => {
                      if (editing === null) onActive({ index: item.index, at });
                    }}
                    onDoubleClick={() => {
                      onActive({ index: item.index, at });
                      startEdit({ index: item.index, at });
                    }}
                  >
                    {here && editing !== null ? (
                      <input
                        autoFocus
                        aria-label={`${column.title} ${row?.row ?? ""}`}
                        className="import-input"
                        value={editing}
                        onChange={(event) => setEditing(event.target.value)}
                        onBlur={(event) => endEdit(event.target.value)}
                        onKeyDown={(event) => {
                          event.stopPropagation();
                          if (event.key === "Enter" && !event.nativeEvent.isComposing) {
                            endEdit(editing);
                          } else if (event.key === "Escape") endEdit(null);
                        }}
                      />
                    ) : (
                      text
                    )}
                  </span>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const reasons = (row: TableRow | undefined): string =>
  (row?.issues ?? []).map((one) => one.message).join("；");
