/**
 * A list of any length as one declaration (docs/adding.md#list-page): its title, number of rows, keyword, filters, order and states, and
 * where the page declares them, a form for new and existing rows, deletion of one or many, and further actions.
 */
import { Suspense, useCallback, useState } from "react";
import type { GuardedCall } from "../../shared/protocol/rest/call-permissions.generated.ts";
import type { Filters, ListCallId, Row, Sort } from "../../shared/protocol/rest/page-calls.ts";
import { currentLanguage } from "../i18n/index.ts";
import { useTexts } from "../i18n/texts.ts";
import { useMay } from "../state/may.ts";
import { showMessage, showError } from "../state/show-message.ts";
import { useRows } from "../state/useRows.ts";
import { countRules } from "./list/advanced.ts";
import { sentBy } from "./list/filters.ts";
import {
  BulkDialog,
  BusyBar,
  ChosenBar,
  FilterBar,
  LapsedBar,
  ListDialogs,
  ListPager,
  RowDialog,
} from "./list/lazy-parts.ts";
import { ListState } from "./list/ListState.tsx";
import { ListHeader } from "./list/ListHeader.tsx";
import type { AnyField, FormField } from "./form/kinds.ts";
import type { VersionedRecord } from "./list/RowDialog.tsx";
import { keyOf, MOST_AT_ONCE } from "./list/columns.ts";
import { ListTable } from "./list/ListTable.tsx";
import type { ListDeclaration, ListPageProps } from "./list/declared.ts";
import { LIST_TEXTS } from "./list/texts.ts";
import { useBulk } from "./list/useBulk.ts";
import { useColumns } from "./list/useColumns.ts";
import { useDrawn } from "./list/useDrawn.ts";
import { useExport } from "./list/useExport.ts";
import {
  isNarrowed,
  type ListQuery,
  useListOwner,
  useListQuery,
  WIDE,
} from "./list/useListQuery.ts";
import { useOpenRow } from "./list/useOpenRow.ts";
import { usePages } from "./list/usePages.ts";
import { usePrint } from "./list/usePrint.ts";
import { useSaved } from "./list/useSaved.ts";
import { useRemoval } from "./list/useRemoval.tsx";
import { useRowActions } from "./list/useRowActions.ts";
import { Allowed } from "./taken/Allowed.tsx";
import { Part } from "./Part.tsx";
import "./list-page.css";

export type { ListPageProps } from "./list/declared.ts";

interface Editing<T> {
  readonly row: T | null;
  readonly record: VersionedRecord | null;
}

export function ListPage<
  I extends ListCallId,
  const F extends readonly AnyField[] = readonly FormField[],
>(props: ListPageProps<I, F>) {
  return (
    <Allowed call={props.call} title={props.title}>
      <List {...props} />
    </Allowed>
  );
}

function List<I extends ListCallId, const F extends readonly AnyField[]>(
  props: ListDeclaration<I, F>,
) {
  const { call, paging, filters, search, refresh = 0, form, remove, exports, advanced } = props;
  const { nameOf = () => "", filterBar = [], arranged } = props;
  const columns =
    arranged === undefined ? props.columns : arranged(props.columns, (column) => keyOf(column));
  const text = useTexts(LIST_TEXTS);
  const holds = useMay();
  const may = (needed: GuardedCall | undefined): boolean => needed === undefined || holds(needed);
  const name = filters === undefined ? call : `${call}${JSON.stringify(filters)}`;
  const owner = useListOwner(name);
  const { query, settled, change: changeQuery } = useListQuery(owner);
  const pages = usePages();
  const change = (part: Partial<ListQuery>): void => {
    changeQuery(part);
    // the rows of another query begin again
    pages.go(1);
  };
  const saved = useSaved(name);
  const [loads, setLoads] = useState(0);
  const [editing, setEditing] = useState<Editing<Row<I>> | null>(null);
  const [dialog, setDialog] = useState<"columns" | "advanced" | "saved" | null>(null);
  const [searches, setSearches] = useState(true);
  const reload = useCallback(() => setLoads((n) => n + 1), []);
  const filter = advanced === undefined ? null : query.filter;
  const asked = {
    call,
    paging,
    keyword: search === undefined ? "" : query.keyword,
    // The keys are those of filterBar, which the compiler has checked.
    filters: {
      ...filters,
      ...sentBy(filterBar, settled),
      // an address carries texts alone
      ...(filter === null ? {} : { filter: paging?.in ? filter : JSON.stringify(filter) }),
    } as unknown as Filters<I>,
    // an order that was kept may belong to an earlier version of the page
    sort: (columns.some(({ sort }) => sort === query.sort?.replace(/^-/, ""))
      ? query.sort
      : null) as Sort<I> | null,
  };
  const rows = useRows({
    ...asked,
    shown: pages.scrolls ? null : { from: pages.from, size: pages.size },
    refresh: loads + refresh,
  });
  const page = pages.page(rows.total);
  const { open, show: showRow } = useOpenRow(rows, pages, props.find);
  const setUp = useColumns(call, columns);
  const { shown } = setUp;
  const exporting = useExport({ ...asked, columns: shown, name: exports?.name ?? props.title });
  const printing = usePrint(asked);
  const bulk = useBulk<I>({
    bulk: props.bulk,
    remove,
    may,
    request: asked,
    owner,
    rows,
    inSight: pages.scrolls
      ? { from: 0, size: MOST_AT_ONCE }
      : { from: (page - 1) * pages.size, size: pages.size },
  });
  const { chosen } = bulk;

  const edit = (row: Row<I> | null): void => {
    const record = row === null ? null : (form?.record?.(row) ?? null);
    Promise.resolve(record).then((found) => setEditing({ row, record: found }), showError);
  };
  const askRemove = useRemoval({
    run: remove?.run,
    nameOf,
    elsewhere: chosen.elsewhere,
    onRemoved: bulk.removed,
  });
  const opener = props.opens !== undefined && may(props.opens.call) ? props.opens : null;
  const openRow = (index: number): void => {
    const row = rows.row(index);
    if (opener === null || row === undefined) showRow(index);
    else opener.onClick(row, index);
  };
  const actions = useRowActions<I, F>(props, { may, edit, askRemove, show: showRow });
  const drawn = useDrawn({ columns: shown, actions: actions.row, choice: bulk.choice }, [
    props,
    chosen.state,
    currentLanguage(),
    bulk.actions.map(({ label }) => label).join("\n"),
  ]);
  const create =
    form === undefined ? props.create : { call: form.calls.create, onClick: () => edit(null) };
  const mayCreate = create !== undefined && may(create.call) ? create : null;
  const busy =
    exporting.state !== null
      ? { label: text("exporting", exporting.state), end: exporting.cancel }
      : printing.state !== null
        ? { label: text("printing", printing.state), end: printing.end }
        : bulk.collecting.state !== null
          ? { label: text("collecting", bulk.collecting.state), end: bulk.collecting.cancel }
          : null;
  const tool = (onClick: () => void) => ({
    disabled: rows.total === 0 || busy !== null || printing.print !== null,
    onClick,
  });

  return (
    <div className="panel list-page" data-list={call}>
      <ListHeader
        title={props.title}
        // no number is known before the first rows are
        total={rows.state === "ready" || rows.total > 0 ? props.total(rows.total) : ""}
        search={search}
        keyword={query.keyword}
        onKeyword={(keyword) => change({ keyword })}
        onRefresh={reload}
        filters={filterBar.length === 0 ? null : searches}
        onFilters={() => setSearches(!searches)}
        advanced={advanced === undefined ? null : countRules(filter)}
        onAdvanced={() => setDialog("advanced")}
        onSaved={() => setDialog("saved")}
        onColumns={() => setDialog("columns")}
        print={tool(printing.start)}
        exporting={
          exports !== undefined && may(exports.call)
            ? tool(
                exports.file === undefined ? exporting.start : () => exports.file?.(asked.filters),
              )
            : null
        }
        actions={props.actions}
        onCreate={mayCreate?.onClick ?? null}
        calls={{ create: create?.call, export: exports?.call }}
      />
      {props.summary}
      {filterBar.length > 0 && (
        // hidden filters still count, as the total shows
        <div hidden={!searches}>
          <Suspense fallback={<div className="list-page-filters" />}>
            <FilterBar fields={filterBar} values={query.values} onChange={change} />
          </Suspense>
        </div>
      )}
      <Part>
        {busy !== null && <BusyBar label={busy.label} onCancel={busy.end} />}
        {chosen.lapsed && <LapsedBar onClose={chosen.clear} />}
        {(chosen.list.length > 0 || chosen.taken !== null) && (
          <ChosenBar
            count={bulk.count}
            taken={chosen.taken}
            whole={bulk.whole}
            onWhole={chosen.chooseWhole}
            elsewhere={chosen.elsewhere.length}
            busy={busy !== null}
            bulk={bulk.actions}
            onBulk={bulk.begin}
            onRemove={bulk.remove === null ? null : () => bulk.remove?.(askRemove)}
            removeCall={remove?.call}
            onClear={chosen.clear}
          />
        )}
      </Part>
      <ListState
        answer={rows}
        empty={rows.total === 0}
        failed={props.failed}
        none={props.empty}
        onRetry={rows.retry}
        onClear={isNarrowed(query) ? () => change(WIDE) : null}
        create={mayCreate}
      />
      <ListTable
        label={props.title}
        rows={rows}
        {...drawn}
        sorting={{ by: asked.sort, onChange: (sort) => change({ sort }) }}
        widths={{
          byKey: setUp.layout.widths,
          onWidth: (key, width) => {
            const { [key]: _, ...others } = setUp.layout.widths;
            setUp.change({ widths: width === null ? others : { ...others, [key]: width } });
          },
        }}
        open={open?.index ?? null}
        page={pages.scrolls ? null : { from: (page - 1) * pages.size, size: pages.size }}
        onOpen={openRow}
        nameOf={nameOf}
        hidden={rows.state !== "ready" || rows.total === 0}
      />
      {rows.state === "ready" && rows.total > 0 && (
        <Suspense fallback={<div className="list-page-pager" />}>
          <ListPager pages={pages} page={page} total={rows.total} />
        </Suspense>
      )}
      <Part
        onFailed={() => {
          setDialog(null);
          if (open !== null) showRow(null);
          printing.end();
        }}
      >
        {(dialog !== null || open !== null || printing.print !== null) && (
          <ListDialogs
            title={props.title}
            dialog={dialog}
            onClose={() => setDialog(null)}
            columns={columns}
            setUp={setUp}
            advanced={advanced ?? []}
            query={query}
            onQuery={change}
            saved={saved}
            open={open}
            rows={rows}
            actions={actions.drawer}
            nameOf={nameOf}
            head={props.renderHead}
            details={props.renderDetails}
            onRow={showRow}
            filterBar={filterBar}
            print={printing.print}
            onPrinted={printing.end}
          />
        )}
      </Part>
      <Part onFailed={bulk.end}>
        {bulk.begun !== null && (
          <BulkDialog {...bulk.begun} nameOf={nameOf} onDone={bulk.done} onClose={bulk.end} />
        )}
      </Part>
      <Part onFailed={() => setEditing(null)}>
        {editing !== null && form !== undefined && (
          <RowDialog
            may={may(editing.row === null ? form.calls.create : form.calls.edit)}
            title={editing.row === null ? form.createTitle : form.editTitle}
            fields={form.fields(editing.row)}
            values={form.values(editing.row, editing.record)}
            record={editing.record}
            read={form.read}
            save={(values, changed, version) => form.save(editing.row, values, changed, version)}
            onClose={() => setEditing(null)}
            onSaved={() => showMessage("success", text("saved"))}
          />
        )}
      </Part>
    </div>
  );
}
