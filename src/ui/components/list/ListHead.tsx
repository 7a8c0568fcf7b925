/** The head of a list's table: titles, and buttons that sort by a column: upwards, downwards, and as usual again. */
import { Checkbox } from "@arco-design/web-react";
import { IconCaretDown, IconCaretUp } from "@arco-design/web-react/icon";
import { useId } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { ColumnEdge } from "./ColumnEdge.tsx";
import { keyOf } from "./columns.ts";
import { LIST_TEXTS } from "./texts.ts";

export interface Sorting {
  /** A column, with "-" before it downwards; null: the usual order. */
  readonly by: string | null;
  readonly onChange: (by: string | null) => void;
}

interface HeadColumn {
  readonly title: string;
  readonly key?: string;
  readonly sort?: string | undefined;
}

/** How the person changes the width of a column. */
export interface Edges {
  /** Shows a width, px; null: as it was. */
  readonly onMove: (key: string, width: number | null) => void;
  /** Keeps a width; null: as declared. */
  readonly onWidth: (key: string, width: number | null) => void;
}

const ARIA = { up: "ascending", down: "descending", none: "none" } as const;

const stateOf = (column: string, { by }: Sorting): keyof typeof ARIA =>
  by === column ? "up" : by === `-${column}` ? "down" : "none";

const nextOf = (column: string, sorting: Sorting): string | null => {
  const state = stateOf(column, sorting);
  return state === "none" ? column : state === "up" ? `-${column}` : null;
};

export function ListHead(props: {
  readonly columns: readonly HeadColumn[];
  /** Left out: the widths stay. */
  readonly edges: Edges | undefined;
  readonly sorting: Sorting | undefined;
  readonly hasActions: boolean;
  /** The mark that chooses the first rows. */
  readonly choice:
    | {
        readonly label: string;
        readonly checked: boolean;
        readonly disabled: boolean;
        readonly onChange: (checked: boolean) => void;
      }
    | undefined;
}) {
  const { sorting, choice, edges } = props;
  const text = useTexts(LIST_TEXTS);
  const id = useId();
  return (
    <div role="row" className="list-page-row list-page-head" aria-rowindex={1}>
      {choice !== undefined && (
        <span role="columnheader">
          <Checkbox
            aria-label={choice.label}
            checked={choice.checked}
            disabled={choice.disabled}
            onChange={choice.onChange}
          />
        </span>
      )}
      {props.columns.map((column) => {
        const { title, sort } = column;
        const key = keyOf(column);
        const name = `${id}${key}`;
        const sorts = sort === undefined || sorting === undefined ? null : { sort, sorting };
        return (
          <span
            key={key}
            role="columnheader"
            // without the name of the edge
            aria-labelledby={name}
            aria-sort={sorts === null ? undefined : ARIA[stateOf(sorts.sort, sorts.sorting)]}
          >
            {sorts === null ? (
              <span id={name} className="ellipsis">
                {title}
              </span>
            ) : (
              <button
                type="button"
                className="list-page-sort"
                data-sort={stateOf(sorts.sort, sorts.sorting)}
                onClick={() => sorts.sorting.onChange(nextOf(sorts.sort, sorts.sorting))}
              >
                <span id={name} className="ellipsis">
                  {title}
                </span>
                <span className="list-page-carets">
                  <IconCaretUp aria-hidden="true" />
                  <IconCaretDown aria-hidden="true" />
                </span>
              </button>
            )}
            {edges !== undefined && (
              <ColumnEdge
                title={title}
                onMove={(width) => edges.onMove(key, width)}
                onWidth={(width) => edges.onWidth(key, width)}
              />
            )}
          </span>
        );
      })}
      {props.hasActions && (
        <span role="columnheader" className="list-page-actions">
          {text("actions")}
        </span>
      )}
    </div>
  );
}
