/** The head of a list's table: titles, and buttons that sort by a column: upwards, downwards, and as usual again. */
import { Checkbox } from "@arco-design/web-react";
import { IconCaretDown, IconCaretUp } from "@arco-design/web-react/icon";
import type { CSSProperties } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { LIST_TEXTS } from "./texts.ts";

export interface Sorting {
  /** A column, with "-" before it downwards; null: the usual order. */
  readonly by: string | null;
  readonly onChange: (by: string | null) => void;
}

interface HeadColumn {
  readonly title: string;
  readonly sort?: string;
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
  readonly style: CSSProperties;
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
  const { sorting, choice } = props;
  const text = useTexts(LIST_TEXTS);
  return (
    <div role="row" className="list-page-row list-page-head" style={props.style} aria-rowindex={1}>
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
      {props.columns.map(({ title, sort }) =>
        sort === undefined || sorting === undefined ? (
          <span key={title} role="columnheader">
            {title}
          </span>
        ) : (
          <span key={title} role="columnheader" aria-sort={ARIA[stateOf(sort, sorting)]}>
            <button
              type="button"
              className="list-page-sort"
              data-sort={stateOf(sort, sorting)}
              onClick={() => sorting.onChange(nextOf(sort, sorting))}
            >
              <span className="ellipsis">{title}</span>
              <span className="list-page-carets">
                <IconCaretUp aria-hidden="true" />
                <IconCaretDown aria-hidden="true" />
              </span>
            </button>
          </span>
        ),
      )}
      {props.hasActions && (
        <span role="columnheader" className="list-page-actions">
          {text("actions")}
        </span>
      )}
    </div>
  );
}
