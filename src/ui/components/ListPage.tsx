/** A list of any length that scrolls through all of its rows, with its title, number of rows, keyword and states. */
import { Button, Input } from "@arco-design/web-react";
import { IconRefresh, IconSearch } from "@arco-design/web-react/icon";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Filters, ListCallId, Row } from "../../shared/protocol/rest/page-calls.ts";
import { useRows } from "../state/useRows.ts";
import { useVirtualRows } from "./useVirtualRows.ts";
import "./list-page.css";

const ROW_HEIGHT = 44;
/** px; also the least width of a row, for each of its columns. */
const COLUMN_WIDTH = 128;
const NO_VALUE = "–";

export interface Column<T> {
  readonly title: string;
  /** Null is shown as "–". */
  readonly render: (row: T) => ReactNode;
  /** Shown until the row is loaded. */
  readonly pending?: ReactNode;
  readonly className?: string;
  /** Width as a track of CSS grid. */
  readonly width?: string;
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
  readonly filters?: Filters<I>;
  /** A change loads the list again. */
  readonly refresh?: number;
  /** Buttons at the end of the head. */
  readonly actions?: ReactNode;
}

export function ListPage<I extends ListCallId>(props: ListPageProps<I>) {
  const { call, columns, filters, search, refresh = 0 } = props;
  const { t } = useTranslation();
  const [keyword, setKeyword] = useState("");
  const [clicks, setClicks] = useState(0);
  const rows = useRows({
    call,
    keyword,
    refresh: clicks + refresh,
    ...(filters === undefined ? {} : { filters }),
  });
  const { box, height, items } = useVirtualRows(rows.total, ROW_HEIGHT, rows.need);
  const tracks = {
    gridTemplateColumns: columns.map(({ width = "minmax(120px, 1fr)" }) => width).join(" "),
    minWidth: columns.length * COLUMN_WIDTH,
  };
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
        <Button
          icon={<IconRefresh />}
          aria-label={t("common.refreshList")}
          onClick={() => setClicks((n) => n + 1)}
        />
        {props.actions}
      </header>
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
      <div
        ref={box}
        className="list-page-rows"
        role="table"
        tabIndex={0}
        aria-label={props.title}
        aria-rowcount={rows.total + 1}
        hidden={rows.state !== "ready" || rows.total === 0}
      >
        <div style={{ height: height, position: "relative" }}>
          <div role="row" className="list-page-row list-page-head" style={tracks} aria-rowindex={1}>
            {columns.map(({ title }) => (
              <span key={title} role="columnheader">
                {title}
              </span>
            ))}
          </div>
          {items.map((item) => {
            const row = rows.row(item.index);
            return (
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                className="list-page-row"
                style={{ ...tracks, transform: `translateY(${item.start}px)` }}
              >
                {columns.map(({ title, render, pending = NO_VALUE, className = "ellipsis" }) => (
                  <span key={title} role="cell" className={className}>
                    {row === undefined ? pending : (render(row) ?? NO_VALUE)}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
