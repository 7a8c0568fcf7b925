/** What a list page opens over itself; loaded when a person first opens one of them. */
import type { ReactNode } from "react";
import { useTexts } from "../../i18n/texts.ts";
import type { Rows } from "../../state/useRows.ts";
import { AdvancedDialog } from "./AdvancedDialog.tsx";
import { type AdvancedField, countRules } from "./advanced.ts";
import { ColumnsDialog } from "./ColumnsDialog.tsx";
import { placedNodes } from "../form/tree-nodes.ts";
import type { FilterField } from "./filters.ts";
import { type Column, keyOf, type RowAction } from "./columns.ts";
import { PrintSheet } from "./PrintSheet.tsx";
import { RowDrawer } from "./RowDrawer.tsx";
import { SavedDialog } from "./SavedDialog.tsx";
import { LIST_TEXTS } from "./texts.ts";
import type { Columns } from "./useColumns.ts";
import type { ListQuery } from "./useListQuery.ts";
import type { OpenRow, ShowRow } from "./useOpenRow.ts";
import type { Print } from "./usePrint.ts";
import type { Saved } from "./useSaved.ts";

export function ListDialogs<T>(props: {
  readonly title: string;
  readonly dialog: "columns" | "advanced" | "saved" | null;
  readonly onClose: () => void;
  readonly columns: readonly Column<T>[];
  /** How the person has set them up. */
  readonly setUp: Columns<Column<T>>;
  readonly advanced: readonly AdvancedField[];
  readonly query: ListQuery;
  readonly onQuery: (part: Partial<ListQuery>) => void;
  readonly saved: Saved;
  /** The row that is open. */
  readonly open: OpenRow<T> | null;
  readonly rows: Rows<T>;
  readonly actions: readonly RowAction<T>[];
  readonly nameOf: (row: T) => string;
  readonly head: ((row: T) => ReactNode) | undefined;
  readonly details: ((row: T) => ReactNode) | undefined;
  readonly onRow: ShowRow;
  readonly filterBar: readonly FilterField<string>[];
  readonly print: Print<T> | null;
  readonly onPrinted: () => void;
}) {
  const { dialog, onClose, columns, setUp, query, onQuery, open, print } = props;
  const text = useTexts(LIST_TEXTS);
  const conditions = (): string[] => [
    ...(query.keyword.trim() === "" ? [] : [query.keyword.trim()]),
    ...props.filterBar.flatMap(({ key, label, options, nodes = [] }) => {
      const value = query.values[key] ?? "";
      if (value === "") return [];
      const called =
        options?.find((one) => one.value === value)?.label ??
        placedNodes(nodes).find((one) => one.value === value)?.path;
      return [`${label}: ${called ?? value}`];
    }),
    ...(query.filter === null ? [] : [text("advancedOn", { count: countRules(query.filter) })]),
  ];
  return (
    <>
      {dialog === "columns" && (
        <ColumnsDialog
          columns={columns.map((column) => ({ key: keyOf(column), title: column.title }))}
          layout={setUp.layout}
          onChange={setUp.change}
          onClose={onClose}
        />
      )}
      {dialog === "advanced" && (
        <AdvancedDialog
          fields={props.advanced}
          filter={query.filter}
          onChange={(filter) => onQuery({ filter })}
          onClose={onClose}
        />
      )}
      {dialog === "saved" && (
        <SavedDialog saved={props.saved} query={query} onUse={onQuery} onClose={onClose} />
      )}
      {open !== null && (
        <RowDrawer
          open={open}
          rows={props.rows}
          columns={setUp.ordered}
          actions={props.actions}
          nameOf={props.nameOf}
          head={props.head}
          more={props.details}
          onMove={props.onRow}
          onClose={(then) => props.onRow(null, then)}
        />
      )}
      {print !== null && (
        <PrintSheet
          title={props.title}
          conditions={conditions()}
          columns={setUp.shown}
          print={print}
          onEnd={props.onPrinted}
        />
      )}
    </>
  );
}
