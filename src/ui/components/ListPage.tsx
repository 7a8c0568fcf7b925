/**
 * A list of any length as one declaration (docs/adding.md#list-page): its title, number of rows, keyword, filters and states, and
 * where the page declares them, a form for new and existing rows, deletion of one or many, and further actions.
 */
import { Button, Input } from "@arco-design/web-react";
import { IconPlus, IconRefresh, IconSearch } from "@arco-design/web-react/icon";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Filters, ListCallId, Row } from "../../shared/protocol/rest/page-calls.ts";
import { useTexts } from "../i18n/texts.ts";
import { ask } from "../state/ask.ts";
import { useMay } from "../state/may.ts";
import { retrying } from "../state/retrying.ts";
import { tell, tellError } from "../state/tell.ts";
import { useRows } from "../state/useRows.ts";
import type { FormField, FormValues } from "./form/fields.ts";
import { FilterBar, type FilterField, type FilterValues } from "./list/FilterBar.tsx";
import { type Column, ListTable, type RowAction } from "./list/ListTable.tsx";
import { LIST_TEXTS } from "./list/texts.ts";
import { useChoice } from "./list/useChoice.ts";
import "./list-page.css";

const FormDialog = lazy(() =>
  retrying(() => import("./form/FormDialog.tsx")).then((m) => ({ default: m.FormDialog })),
);

/** A form for a new row and for existing ones. */
export interface ListForm<T> {
  /** Without it, neither the button nor the action is shown. */
  readonly permission: string;
  readonly createTitle: string;
  readonly editTitle: string;
  /** @param row null for a new one */
  readonly fields: (row: T | null) => readonly FormField[];
  /** Values of the fields; may ask the server for more than the list knows. */
  readonly values: (row: T | null) => FormValues | Promise<FormValues>;
  /** Whether the row can be edited. */
  readonly when?: (row: T) => boolean;
  /** @param changed only the values that the person changed */
  readonly save: (row: T | null, values: FormValues, changed: FormValues) => Promise<unknown>;
}

export interface ListRemoval<T> {
  readonly permission: string;
  /** Whether the row can be deleted. */
  readonly when?: (row: T) => boolean;
  readonly run: (rows: readonly T[]) => Promise<unknown>;
  /** The call deletes many rows at once, so rows can be chosen. */
  readonly many?: boolean;
}

export interface ListAction<T> extends RowAction<T> {
  readonly permission: string;
}

export interface ListPageProps<I extends ListCallId> {
  /** Id of a call with `page: true` that answers pages of rows. */
  readonly call: I;
  readonly columns: readonly Column<Row<I>>[];
  readonly title: string;
  /** The number of rows, as a text. */
  readonly total: (count: number) => string;
  /** Placeholder of the keyword. Without it there is no keyword. */
  readonly search?: string;
  /** Says that the list could not be loaded. */
  readonly failed: string;
  /** Filters that the page sets itself. */
  readonly filters?: Filters<I>;
  /** Filters that the person sets. Declare them outside of the component or in a memo. */
  readonly filterBar?: readonly FilterField<keyof Filters<I> & string>[];
  /** A change loads the list again. */
  readonly refresh?: number;
  /** Buttons at the end of the head. */
  readonly actions?: ReactNode;
  /** The name of a row in questions and for screen readers. Needed with `form`, `remove` and `rowActions`. */
  readonly nameOf?: (row: Row<I>) => string;
  readonly form?: ListForm<Row<I>>;
  readonly remove?: ListRemoval<Row<I>>;
  readonly rowActions?: readonly ListAction<Row<I>>[];
}

interface Editing<T> {
  readonly row: T | null;
  readonly values: FormValues;
}

export function ListPage<I extends ListCallId>(props: ListPageProps<I>) {
  const { call, columns, filters, search, refresh = 0, form, remove } = props;
  const { nameOf = () => "", filterBar } = props;
  const { t } = useTranslation();
  const text = useTexts(LIST_TEXTS);
  const may = useMay();
  const [keyword, setKeyword] = useState("");
  const [loads, setLoads] = useState(0);
  const [chosenFilters, setChosenFilters] = useState<FilterValues>({});
  const [editing, setEditing] = useState<Editing<Row<I>> | null>(null);
  const reload = useCallback(() => setLoads((n) => n + 1), []);
  const rows = useRows({
    call,
    keyword,
    refresh: loads + refresh,
    // The keys are those of filterBar, which the compiler has checked.
    filters: { ...filters, ...chosenFilters } as Filters<I>,
  });
  const { list, choice, clear } = useChoice<Row<I>>((row) => remove?.when?.(row) !== false);
  const chooses = remove?.many === true && may(remove.permission);

  const edit = (row: Row<I> | null): void => {
    Promise.resolve(form?.values(row) ?? {}).then(
      (values) => setEditing({ row, values }),
      tellError,
    );
  };
  const askRemove = (gone: readonly Row<I>[]): void => {
    const [first] = gone;
    if (first === undefined || remove === undefined) return;
    ask({
      title: text("removeTitle"),
      content:
        gone.length === 1
          ? text("removeOne", { name: nameOf(first) })
          : text("removeMany", { count: gone.length }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        remove.run(gone).then(() => {
          clear();
          reload();
          tell("success", text("removed"));
        }, tellError),
    });
  };
  const rowActions: RowAction<Row<I>>[] = [
    ...(form !== undefined && may(form.permission)
      ? [{ label: text("edit"), when: (row: Row<I>) => form.when?.(row) !== false, onClick: edit }]
      : []),
    ...(props.rowActions ?? []).filter(({ permission }) => may(permission)),
    ...(remove !== undefined && may(remove.permission)
      ? [
          {
            label: text("remove"),
            danger: true,
            when: (row: Row<I>) => remove.when?.(row) !== false,
            onClick: (row: Row<I>) => askRemove([row]),
          },
        ]
      : []),
  ];

  return (
    <div className="panel list-page">
      <header>
        <h1>{props.title}</h1>
        <span className="list-page-total tnum" data-testid="list-total">
          {props.total(rows.total)}
        </span>
        {search !== undefined && (
          <Input
            className="list-page-search"
            allowClear
            prefix={<IconSearch aria-hidden="true" />}
            placeholder={search}
            aria-label={search}
            value={keyword}
            onChange={setKeyword}
          />
        )}
        <Button icon={<IconRefresh />} aria-label={t("common.refreshList")} onClick={reload} />
        {props.actions}
        {form !== undefined && may(form.permission) && (
          <Button type="primary" icon={<IconPlus />} onClick={() => edit(null)}>
            {text("create")}
          </Button>
        )}
      </header>
      {filterBar !== undefined && <FilterBar fields={filterBar} onChange={setChosenFilters} />}
      {list.length > 0 && (
        <div className="list-page-chosen" role="status">
          <span className="tnum">{text("chosen", { count: list.length })}</span>
          <Button size="small" status="danger" onClick={() => askRemove(list)}>
            {text("remove")}
          </Button>
          <Button size="small" type="text" onClick={clear}>
            {text("unselect")}
          </Button>
        </div>
      )}
      {rows.state === "failed" && (
        <div className="list-page-none" role="alert">
          <p>{props.failed}</p>
          <Button onClick={rows.retry}>{t("common.retry")}</Button>
        </div>
      )}
      {rows.state === "loading" && (
        <div className="list-page-none" role="status">
          {t("common.loading")}
        </div>
      )}
      {rows.state === "ready" && rows.total === 0 && (
        <div className="list-page-none">{t("common.none")}</div>
      )}
      <ListTable
        label={props.title}
        rows={rows}
        columns={columns}
        actions={rowActions}
        choice={chooses ? choice : undefined}
        nameOf={nameOf}
        hidden={rows.state !== "ready" || rows.total === 0}
      />
      {editing !== null && form !== undefined && (
        <Suspense fallback={null}>
          <FormDialog
            title={editing.row === null ? form.createTitle : form.editTitle}
            fields={form.fields(editing.row)}
            values={editing.values}
            save={(values, changed) => form.save(editing.row, values, changed)}
            onClose={() => setEditing(null)}
            onSaved={() => {
              reload();
              tell("success", text("saved"));
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
