/** The rows of a list, of which only the visible ones are rendered, with a mark per row and actions at its end, below a head. */
import { type CSSProperties, useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { useArrivals } from "../../state/row-pages.ts";
import { tracksOf } from "./columnLayout.ts";
import { keyOf, type RowAction, MOST_AT_ONCE } from "./columns.ts";
import { ListBox, type ShownList } from "./ListBox.tsx";
import { ListHead, type Sorting } from "./ListHead.tsx";
import { LIST_TEXTS } from "./texts.ts";

/** The least width of a grid track, px: the first length of `minmax(120px, 1fr)` or of `44px`. */
const leastOf = (track: string): number => Number(/(\d+)px/.exec(track)?.[1] ?? 0);
const CHOICE_WIDTH = 44;
/** px of an action: its padding, and its characters, of which Chinese ones are square. */
const ACTION_PADDING = 18;
const CHARACTER_WIDTH = { wide: 14, narrow: 7 };
/** px of the column of actions at least: its title. */
const ACTIONS_WIDTH = 72;
const ACTIONS_PADDING = 16;
const FIRST_WIDE = "\u2e80";
const NO_ACTIONS: readonly never[] = [];
const widthOf = (label: string): number =>
  [...label]
    .map((one) => (one < FIRST_WIDE ? CHARACTER_WIDTH.narrow : CHARACTER_WIDTH.wide))
    .reduce((a, b) => a + b, ACTION_PADDING);

export interface ListTableProps<T> extends ShownList<T> {
  /** The page that is shown: its first row, and how many rows a page has. Left out or null: all rows are shown. */
  readonly page?: { readonly from: number; readonly size: number } | null;
  readonly actions?: readonly RowAction<T>[];
  readonly sorting?: Sorting | undefined;
  /** Widths of columns that the person has chosen, px by key. Left out: the person chooses none. */
  readonly widths?: {
    readonly byKey: Readonly<Record<string, number>>;
    /** @param width null: as declared */
    readonly onWidth: (key: string, width: number | null) => void;
  };
}

export function ListTable<T>(props: ListTableProps<T>) {
  const { rows, columns, actions = NO_ACTIONS, choice, page = null, widths } = props;
  const from = page?.from ?? 0;
  const count = Math.max(0, Math.min(rows.total - from, page?.size ?? rows.total));
  const text = useTexts(LIST_TEXTS);
  const [moving, setMoving] = useState<{ readonly key: string; readonly width: number } | null>(
    null,
  );
  const actionWidth =
    actions.length === 0
      ? 0
      : Math.max(
          ACTIONS_WIDTH,
          actions.map(({ label }) => widthOf(label)).reduce((a, b) => a + b),
        );
  const tracks = [
    ...(choice !== undefined ? [`${CHOICE_WIDTH}px`] : []),
    ...tracksOf(
      columns.map((column) => ({ key: keyOf(column), width: column.width })),
      { ...widths?.byKey, ...(moving === null ? {} : { [moving.key]: moving.width }) },
    ),
    ...(actions.length === 0 ? [] : [`${actionWidth + ACTIONS_PADDING}px`]),
  ];
  const variables = {
    "--list-tracks": tracks.join(" "),
    // A narrower table scrolls, so that no column slips below the actions.
    "--list-least": `${tracks.reduce((sum, track) => sum + leastOf(track), 0)}px`,
  } as CSSProperties;
  /** What the mark in the head chooses: the page, or of all rows the first ones. */
  const most = Math.min(count, page === null ? MOST_AT_ONCE : count);
  useArrivals(rows.arrivals, { from, to: from + most - 1 });
  const shown = Array.from({ length: most }, (_, index) => rows.row(from + index));
  const first = shown.filter((row) => row !== undefined).filter((row) => choice?.may(row) === true);
  return (
    <ListBox
      {...props}
      page={page}
      from={from}
      count={count}
      actions={actions}
      variables={variables}
    >
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
            label: page === null ? text("chooseAll", { count: MOST_AT_ONCE }) : text("choosePage"),
            checked: first.length > 0 && first.every((row) => choice.has(row)),
            disabled: first.length === 0 || shown.includes(undefined),
            onChange: (checked) => choice.toggle(first, checked),
          }
        }
      />
    </ListBox>
  );
}
