/** What a list declares: its columns, the actions of a row, and which rows can be chosen. */
import type { ReactNode } from "react";
import type { GuardedCall } from "../../../shared/protocol/rest/call-permissions.generated.ts";
import type { AnyField } from "../form/kinds.ts";
import type { Values } from "../form/values.ts";
import type { ExportCell } from "../../../shared/protocol/export-worker.ts";

/** Rows that a call takes at a time. */
export const MOST_AT_ONCE = 100;
/** Most rows of a list page that can be chosen: a page of the largest size. */
export const MOST_CHOSEN = 1000;
/** Most rows of "all that the filter holds": some minutes of work, one request a row. */
export const MOST_OF_FILTER = 10_000;

interface ColumnBase<T> {
  readonly title: string;
  /** Null is shown as "–". */
  readonly render: (row: T) => ReactNode;
  /** The cell in an export; needed where `render` answers more than a text. */
  readonly cell?: (row: T) => ExportCell;
  /** Shown until the row is loaded. */
  readonly pending?: ReactNode;
  readonly className?: string;
  /** A name, a number or a code, which a translation would damage (docs/shell.md#translated-pages). */
  readonly verbatim?: boolean;
  /** Width as a track of CSS grid, until the person chooses one. */
  readonly width?: string;
}

/**
 * A column of a list. `sort`: the column of the call by which the list is sorted; left out: the list cannot be sorted by it. `key` names the
 * column for what a person sets up, so it is unique in the list and stays the same; left out: `sort` does.
 */
export type Column<T, S extends string = string> = ColumnBase<T> &
  (
    | { readonly sort: S; readonly key?: string }
    | { readonly sort?: undefined; readonly key: string }
  );

/** The name of a column for what a person sets up. */
export const keyOf = ({
  key,
  sort,
}: {
  readonly key?: string;
  readonly sort?: string | undefined;
}): string => key ?? sort ?? "";

/** The cell of a row in an export. */
export function cellOf<T>({ cell, render }: Column<T>, row: T): ExportCell {
  if (cell !== undefined) return cell(row);
  const shown = render(row);
  return typeof shown === "string" || typeof shown === "number" ? shown : null;
}

export interface RowAction<T> {
  readonly label: string;
  /** The call that a person must be allowed to make. Left out for an action that everybody has who sees the list. */
  readonly call?: GuardedCall | undefined;
  readonly danger?: boolean;
  /** It stands in the details of a row, not in the row. */
  readonly inDetailsAlone?: boolean;
  /** Whether the row has the action. */
  readonly when?: (row: T) => boolean;
  readonly onClick: (row: T, index: number) => void;
}

/** What a person can do with all chosen rows, each by a request of its own. */
export interface BulkAction<T> {
  readonly label: string;
  /** The call that a person must be allowed to make. */
  readonly call?: GuardedCall | undefined;
  readonly danger?: boolean;
  /** Whether it can be done with the row; other rows are left out. */
  readonly when?: (row: T) => boolean;
  /** Asked before. @param count rows with which it will be done */
  readonly question: (count: number) => string;
  /** What the person fills in before. */
  readonly fields?: readonly AnyField[];
  readonly values?: Values;
  readonly run: (row: T, values: Values) => Promise<unknown>;
}

/** What a person can do with all chosen rows by one request, without a question. */
export interface AtOnce<T> extends Pick<BulkAction<T>, "label" | "call" | "danger" | "when"> {
  readonly all: (rows: readonly T[]) => unknown;
}

export interface Choice<T> {
  readonly has: (row: T) => boolean;
  /** Rows that cannot be chosen have no mark. */
  readonly may: (row: T) => boolean;
  readonly toggle: (rows: readonly T[], chosen: boolean) => void;
}
