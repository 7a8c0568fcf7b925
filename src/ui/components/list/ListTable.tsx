/**
 * The rows of a list, of which only the visible ones are rendered, with a mark per row and actions at its end. Arrow keys move from row to
 * row, the space bar chooses one, with Shift all since the one before, Enter or a click opens it.
 */
import { type CSSProperties, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { Rows } from "../../state/useRows.ts";
import { scrollToTop } from "../scrollToTop.ts";
import { useVirtualRows } from "../useVirtualRows.ts";
import { tracksOf } from "./columnLayout.ts";
import { type Choice, type Column, keyOf, type RowAction, MOST_AT_ONCE } from "./columns.ts";
import { ListRow } from "./ListRow.tsx";
import { ListHead, type Sorting } from "./ListHead.tsx";
import { LIST_TEXTS } from "./texts.ts";
import { useActiveRow, useRowInSight } from "./useActiveRow.ts";

const ROW_HEIGHT = 44;
/** The least width of a grid track, px: the first length of `minmax(120px, 1fr)` or of `44px`. */
const leastOf = (track: string): number => Number(/(\d+)px/.exec(track)?.[1] ?? 0);
const CHOICE_WIDTH = 44;
/** px of an action: its padding, and its characters, of which Chinese ones are square. */
const ACTION_PADDING = 18;
const CHARACTER_WIDTH = { wide: 14, narrow: 8 };
/** px of the column of actions at least: its title. */
const ACTIONS_WIDTH = 72;
const ACTIONS_PADDING = 16;
const FIRST_WIDE = "\u2e80";
const NO_ACTIONS: readonly never[] = [];
const widthOf = (label: string): number =>
  [...label]
    .map((one) => (one < FIRST_WIDE ? CHARACTER_WIDTH.narrow : CHARACTER_WIDTH.wide))
    .reduce((a, b) => a + b, ACTION_PADDING);

export interface ListTableProps<T> {
  readonly label: string;
  readonly rows: Pick<Rows<T>, "total" | "row" | "need">;
  /** The page that is shown: its first row, and how many rows a page has. Left out or null: all rows are shown. */
  readonly page?: { readonly from: number; readonly size: number } | null;
  readonly columns: readonly Column<T>[];
  readonly actions?: readonly RowAction<T>[];
  readonly choice?: Choice<T> | undefined;
  readonly sorting?: Sorting | undefined;
  /** Widths of columns that the person has chosen, px by key. Left out: the person chooses none. */
  readonly widths?: {
    readonly byKey: Readonly<Record<string, number>>;
    /** @param width null: as declared */
    readonly onWidth: (key: string, width: number | null) => void;
  };
  /** Shows a row with all of its columns. */
  readonly onOpen?: (index: number) => void;
  /** The row that is open. */
  readonly open?: number | null;
  /** The name of a row, which makes the names of its buttons unique. */
  readonly nameOf: (row: T) => string;
  readonly hidden?: boolean;
}

export function ListTable<T>(props: ListTableProps<T>) {
  const { rows, columns, actions = NO_ACTIONS, choice, nameOf, onOpen, page = null } = props;
  const from = page?.from ?? 0;
  const count = Math.max(0, Math.min(rows.total - from, page?.size ?? rows.total));
  const { need } = rows;
  const text = useTexts(LIST_TEXTS);
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
  const [moving, setMoving] = useState<{ readonly key: string; readonly width: number } | null>(
    null,
  );
  const virtual = useVirtualRows(
    count,
    ROW_HEIGHT,
    useCallback((first, last) => need(from + first, from + last), [need, from]),
    active.index === null ? null : active.index - from,
  );
  const { box, space, items } = virtual;
  useRowInSight(active, from, props.open ?? null, virtual);
  const place = page === null ? null : `${page.from} ${page.size}`;
  const placed = useRef(place);
  useEffect(() => {
    if (placed.current === place || box.current === null) return;
    placed.current = place;
    return scrollToTop(box.current);
  }, [place, box]);
  const actionWidth =
    actions.length === 0
      ? 0
      : Math.max(
          ACTIONS_WIDTH,
          actions.map(({ label }) => widthOf(label)).reduce((a, b) => a + b),
        );
  const chooses = choice !== undefined;
  const { widths } = props;
  const tracks = [
    ...(chooses ? [`${CHOICE_WIDTH}px`] : []),
    ...tracksOf(
      columns.map((column) => ({ key: keyOf(column), width: column.width })),
      { ...widths?.byKey, ...(moving === null ? {} : { [moving.key]: moving.width }) },
    ),
    ...(actions.length === 0 ? [] : [`${actionWidth + ACTIONS_PADDING}px`]),
  ];
  // Variables, so that no row renders again while a column gets wider.
  const variables = {
    "--list-tracks": tracks.join(" "),
    // A narrower table scrolls, so that no column slips below the actions.
    "--list-least": `${tracks.reduce((sum, track) => sum + leastOf(track), 0)}px`,
  } as CSSProperties;
  /** What the mark in the head chooses: the page, or of all rows the first ones. */
  const most = Math.min(count, page === null ? MOST_AT_ONCE : count);
  const shown = useMemo(
    () => Array.from({ length: most }, (_, index) => rows.row(from + index)),
    [rows, from, most],
  );
  const first = useMemo(
    () => shown.filter((row) => row !== undefined).filter((row) => choice?.may(row) === true),
    [shown, choice],
  );
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
      style={variables}
    >
      <div style={space}>
        <ListHead
          columns={columns}
          edges={
            widths && {
              onMove: (key, width) => setMoving(width === null ? null : { key, width }),
              onWidth: (key, width) => {
                setMoving(null);
                widths.onWidth(key, width);
              },
            }
          }
          sorting={props.sorting}
          hasActions={actions.length > 0}
          choice={
            choice && {
              label:
                page === null ? text("chooseAll", { count: MOST_AT_ONCE }) : text("choosePage"),
              checked: first.length > 0 && first.every((row) => choice.has(row)),
              disabled: first.length === 0 || shown.includes(undefined),
              onChange: (checked) => choice.toggle(first, checked),
            }
          }
        />
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
