/** A table of one page of records, with the pagination below. */
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../core-client/contracts.ts";
import { PAGE_SIZES, pageAfterResize } from "../../../shared/domain/page-sizes.ts";
import { usePageSize } from "../../components/list/usePages.ts";
import { Pager } from "../../components/Pager.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";

export function usePaging() {
  const [cursor, setCursor] = useState(1);
  const [limit, setLimit] = usePageSize();
  const resize = (size: typeof limit): void => {
    setCursor(pageAfterResize(cursor, limit, size));
    setLimit(size);
  };
  return { query: { cursor, limit }, setCursor, resize };
}

export function Paged<T>(props: {
  readonly answer: Answer<{ readonly records: readonly T[]; readonly total: number }>;
  readonly onRetry: () => void;
  readonly paging: ReturnType<typeof usePaging>;
  readonly heads: readonly string[];
  readonly renderRow: (record: T) => ReactNode;
}) {
  const { t } = useTranslation();
  const { answer } = props;
  const { query, setCursor, resize } = props.paging;
  if (answer.state !== "ready") {
    return (
      <ReadNote
        answer={answer}
        failed={t("imports.jobs.failed")}
        onRetry={props.onRetry}
        className="import-hint"
      />
    );
  }
  const page = answer.data;
  if (page.total === 0) return <p className="import-hint">{t("common.none")}</p>;
  return (
    <>
      <table className="table">
        <thead>
          <tr>
            {props.heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>{page.records.map(props.renderRow)}</tbody>
      </table>
      {page.total > PAGE_SIZES[0] && (
        <Pager
          total={page.total}
          page={query.cursor}
          size={query.limit}
          onPage={setCursor}
          onSize={resize}
        />
      )}
    </>
  );
}
