/** What a list page declares (docs/adding.md#list-page). */
import type { ReactNode } from "react";
import type { GuardedCall } from "../../../shared/protocol/rest/call-permissions.generated.ts";
import type {
  Filters,
  ListCallId,
  Paging,
  PagingOf,
  Row,
  SortColumn,
} from "../../../shared/protocol/rest/page-calls.ts";
import type { AnyField, ChangedOf, FormField, StartOf, ValuesOf } from "../form/kinds.ts";
import type { AdvancedField } from "./advanced.ts";
import type { AtOnce, BulkAction, Column, RowAction } from "./columns.ts";
import type { FilterField } from "./filters.ts";
import type { VersionedRecord } from "./RowDialog.tsx";

/** A form for a new row and for existing ones. */
export interface ListForm<T, F extends readonly AnyField[] = readonly FormField[]> {
  /** The calls that a person must be allowed to make, for the button and for the action. */
  readonly calls: { readonly create: GuardedCall; readonly edit: GuardedCall };
  readonly createTitle: string;
  readonly editTitle: string;
  /** @param row null for a new one */
  readonly fields: (row: T | null) => F;
  /** The record behind a row, if it carries a version; may ask the server for more than the list knows. */
  readonly record?: (row: T) => VersionedRecord | Promise<VersionedRecord>;
  /** The record by the keys of the fields. Left out: it names its parts as the fields are named. */
  readonly read?: (record: VersionedRecord) => Readonly<Record<string, unknown>>;
  /** Values of the fields. */
  readonly values: (row: T | null, record: VersionedRecord | null) => StartOf<F>;
  /** Whether the row can be edited. */
  readonly when?: (row: T) => boolean;
  /**
   * @param changed only the values that differ from the record
   * @param version of the record, as the person saw it last
   */
  readonly save: (
    row: T | null,
    values: ValuesOf<F>,
    changed: ChangedOf<F>,
    version: number,
  ) => Promise<unknown>;
}

export interface ListRemoval<T> {
  /** The call that a person must be allowed to make. Left out for rows that are the person's own. */
  readonly call?: GuardedCall;
  /** Whether the row can be deleted. */
  readonly when?: (row: T) => boolean;
  readonly run: (rows: readonly T[]) => Promise<unknown>;
  /** Rows can be chosen: a call deletes many of them, or each of them by itself (`each`). Left out: one row at a time. */
  readonly many?: true | "each";
}

export type ListBulk<T> = (BulkAction<T> | AtOnce<T>) & {
  /** The call that a person must be allowed to make. */
  readonly call: GuardedCall;
};

export interface ListDeclaration<I extends ListCallId, F extends readonly AnyField[]> {
  /** Id of a call with `page: true` that answers pages of rows. */
  readonly call: I;
  /** How the call is asked for a page, if not by cursor and limit in the query; stays the same. The types say when it is needed. */
  readonly paging?: Paging | undefined;
  readonly columns: readonly Column<Row<I>, SortColumn<I>>[];
  /** What the company makes of the columns: which it has, and their order. A person sets up columns on top of it. */
  readonly arranged?: <C>(columns: readonly C[], keyOf: (column: C) => string) => readonly C[];
  readonly title: string;
  /** The number of rows, as a text. */
  readonly total: (count: number) => string;
  /** Placeholder of the keyword. Without it there is no keyword. */
  readonly search?: string;
  /** Says that the list could not be loaded. */
  readonly failed: string;
  /** Says what will stand in the list, below the words that it is empty. */
  readonly empty: string;
  /** Filters that the page sets itself. */
  readonly filters?: Filters<I>;
  /** Filters that the person sets. Declare them outside of the component or in a memo. */
  readonly filterBar?: readonly FilterField<keyof Filters<I> & string>[];
  /** Fields of the advanced filter, which the call takes as `filter`. Left out: the list has none. */
  readonly advanced?: readonly AdvancedField[];
  /** What the drawer of a row shows below its columns; the row gets a button that opens it. */
  readonly renderDetails?: (row: Row<I>) => ReactNode;
  /** Stands above the columns in the drawer of a row, which is wider then. */
  readonly renderHead?: (row: Row<I>) => ReactNode;
  /** Reads one row by its id, for a link to a row that is not among those that are shown. */
  readonly find?: (id: string) => Promise<Row<I>>;
  /** A change loads the list again. */
  readonly refresh?: number;
  /** People may save the rows as a workbook. */
  readonly exports?: {
    /** Name of the file and its sheet. */
    readonly name: string;
    /** A call that a person must be allowed to make. Left out for rows that are the person's own. */
    readonly call?: GuardedCall;
    /** Saves a file that the server makes of the rows that the filters leave. Left out: the rows are written as they are shown. */
    readonly file?: (filters: Filters<I>) => unknown;
  };
  /** Makes a row by a dialog of the page's own, where `form` would not do. */
  readonly create?: { readonly call: GuardedCall; readonly onClick: () => void };
  /** What the list is about as a whole, between the head and the filters. */
  readonly summary?: ReactNode;
  /** Buttons at the end of the head. */
  readonly actions?: ReactNode;
  /** The name of a row in questions and for screen readers. Needed with `form`, `remove`, `renderDetails` and `rowActions`. */
  readonly nameOf?: (row: Row<I>) => string;
  readonly form?: ListForm<Row<I>, F>;
  readonly remove?: ListRemoval<Row<I>>;
  readonly rowActions?: readonly RowAction<Row<I>>[];
  /** What a click on a row, or Enter, begins in place of the drawer, for people who may make its call. */
  readonly opens?: RowAction<Row<I>>;
  /** What can be done with chosen rows, besides deleting them. Rows can be chosen when a person may do any of it. */
  readonly bulk?: readonly ListBulk<Row<I>>[];
}

export type ListPageProps<
  I extends ListCallId,
  F extends readonly AnyField[] = readonly FormField[],
> = ListDeclaration<I, F> & PagingOf<I>;
