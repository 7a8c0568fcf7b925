/** What was changed of an employee: who, when, and each field from what to what; the newest first. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "../../../shared/domain/format.ts";
import { PAGE_SIZES, pageAfterResize } from "../../../shared/domain/page-sizes.ts";
import { usePageSize } from "../../components/list/usePages.ts";
import { Pager } from "../../components/Pager.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useRead } from "../../state/useRead.ts";
import { useAuditNames } from "../monitor/useAuditNames.ts";
import { DIALOG_TEXTS } from "./dialog-texts.ts";
import { employeeChanges, type HistoryNeeds } from "./history.ts";

export function HistoryPane({ id, needs }: { readonly id: string; readonly needs: HistoryNeeds }) {
  const { t } = useTranslation();
  const text = useTexts(DIALOG_TEXTS);
  const names = useAuditNames();
  const [page, setPage] = useState(1);
  const [size, setSize] = usePageSize();
  const { answer, again } = useRead({
    call: "audit.list",
    query: { entity: "employee", entityId: id, cursor: page, limit: size },
  });
  if (answer.state !== "ready") {
    return (
      <ReadNote
        answer={answer}
        failed={text("historyFailed")}
        onRetry={again}
        className="employee-history-none"
      />
    );
  }
  const { records, total } = answer.data;
  if (total === 0) return <p className="employee-history-none">{t("common.none")}</p>;
  return (
    <ScrollBox className="employee-scroll employee-history">
      <ol aria-label={text("history")}>
        {records.map((record) => (
          <li key={record.id}>
            <p className="employee-history-head">
              <strong>{names.person(record)}</strong>
              <span>{names.action(record.action)}</span>
              <time className="tnum" dateTime={record.createTime}>
                {formatDate(Date.parse(record.createTime))}
              </time>
            </p>
            <dl>
              {employeeChanges(record, needs).map(({ key, label, from, to }) => (
                <div key={key}>
                  <dt>{label}</dt>
                  <dd>
                    <span>{from ?? "–"}</span> <span aria-hidden="true">→</span>
                    <span className="visually-hidden">{text("historyTo")}</span>{" "}
                    <span>{to ?? "–"}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ol>
      {total > PAGE_SIZES[0] && (
        <Pager
          total={total}
          page={page}
          size={size}
          onPage={setPage}
          onSize={(next) => {
            setPage(pageAfterResize(page, size, next));
            setSize(next);
          }}
        />
      )}
    </ScrollBox>
  );
}
