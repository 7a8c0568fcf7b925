/**
 * The box in which the rows of a list scroll, below its head. It alone renders while a person scrolls: the head, and what is worked out from
 * all columns, stay as ListTable made them. Arrow keys move from row to row, the space bar chooses one, with Shift all since the one before,
 * Enter or a click opens it.
 */
import { type CSSProperties, type ReactNode, useCallback, useEffect, useRef } from "react";
import { currentLanguage } from "../../i18n/index.ts";
import { useArrivals } from "../../state/row-pages.ts";
import type { Rows } from "../../state/useRows.ts";
import { scrollToTop } from "../scrollToTop.ts";
import { useVirtualRows } from "../useVirtualRows.ts";
import type { Choice, Column, RowAction } from "./columns.ts";
import { ListRow } from "./ListRow.tsx";
import { useActiveRow, useRowInSight } from "./useActiveRow.ts";

const ROW_HEIGHT = 44;

/** What a list shows of its rows. */
export interface ShownList<T> {
  readonly label: string;
  readonly rows: Pick<Rows<T>, "total" | "row" | "need" | "arrivals">;
  readonly columns: readonly Column<T>[];
  readonly choice?: Choice<T> | undefined;
  /** Shows a row with all of its columns. */
  readonly onOpen?: (index: number) => void;
  /** The row that is open. */
  readonly open?: number | null;
  /** The name of a row, which makes the names of its buttons unique. */
  readonly nameOf: (row: T) => string;
  readonly hidden?: boolean;
}

interface ListBoxProps<T> extends ShownList<T> {
  /** The page that is shown; null: all rows are. */
  readonly page: { readonly from: number; readonly size: number } | null;
  /** Index of the first row, and the number of rows that are shown. */
  readonly from: number;
  readonly count: number;
  readonly actions: readonly RowAction<T>[];
  /** The widths of the columns. Variables, so that no row renders again while a column gets wider. */
  readonly variables: CSSProperties;
  /** The head of the table. */
  readonly children: ReactNode;
}

export function ListBox<T>(props: ListBoxProps<T>) {
  const { rows, columns, actions, choice, nameOf, onOpen, page, from, count } = props;
  const { need } = rows;
  const active = useActiveRow({
    from,
    count,
    open: props.open ?? null,
    onOpen,
    onChoose(index, range) {
      const row = rows.row(index);
      if (choice === undefined || row === undefined || !choice.may(row)) return;
      choose(index, range || !choice.has(row), range);
    },
  });
  /** The row that was marked last. */
  const marked = useRef<number | null>(null);
  const choose = (index: number, chosen: boolean, range: boolean): void => {
    const start = range ? (marked.current ?? index) : index;
    marked.current = index;
    const first = Math.min(start, index);
    const those = Array.from({ length: Math.abs(start - index) + 1 }, (_, n) =>
      rows.row(first + n),
    );
    if (choice === undefined) return;
    choice.toggle(those.filter((row) => row !== undefined).filter(choice.may), chosen);
  };
  const latest = useRef({ choose, onOpen });
  useEffect(() => {
    latest.current = { choose, onOpen };
  });
  // the rows render again only when what they show changes
  const chooseNow = useCallback<typeof choose>((...given) => latest.current.choose(...given), []);
  const openNow = useCallback((index: number) => latest.current.onOpen?.(index), []);
  const virtual = useVirtualRows(
    count,
    ROW_HEIGHT,
    useCallback((first, last) => need(from + first, from + last), [need, from]),
    active.index === null ? null : active.index - from,
  );
  const { box, space, items } = virtual;
  useArrivals(
    rows.arrivals,
    items.length === 0
      ? null
      : { from: from + (items[0]?.index ?? 0), to: from + (items.at(-1)?.index ?? 0) },
  );
  useRowInSight(active, from, props.open ?? null, virtual);
  const place = page === null ? null : `${page.from} ${page.size}`;
  const placed = useRef(place);
  useEffect(() => {
    if (placed.current === place || box.current === null) return;
    placed.current = place;
    return scrollToTop(box.current);
  }, [place, box]);
  return (
    <div
      ref={box}
      className="list-page-rows"
      role="table"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rows.total + 1}
      hidden={props.hidden === true}
      onKeyDown={active.onKeyDown}
      style={props.variables}
    >
      <div style={space}>
        {props.children}
        {items.map((item) => {
          const index = from + item.index;
          const row = rows.row(index);
          return (
            <ListRow
              key={item.index}
              index={index}
              start={item.start}
              row={row}
              columns={columns}
              actions={actions}
              choice={choice}
              nameOf={nameOf}
              onOpen={onOpen && openNow}
              language={currentLanguage()}
              isOpen={props.open === index}
              onFocus={active.set}
              onChoose={chooseNow}
            />
          );
        })}
      </div>
    </div>
  );
}
