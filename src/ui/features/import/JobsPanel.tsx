/** All imports of the company, newest first: who, when, how many rows. */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePageSize } from "../../components/list/usePages.ts";
import { Pager } from "../../components/Pager.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { formatDate } from "../../../shared/domain/format.ts";
import { PAGE_SIZES, pageAfterResize } from "../../../shared/domain/page-sizes.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { useRead } from "../../state/useRead.ts";
import { JobDetail } from "./JobDetail.tsx";

type Job = PageCallData<"imports.list">["records"][number];

/** Follows the imports of everybody in the company. */
export function JobsPanel() {
  const { t } = useTranslation();
  const [cursor, setCursor] = useState(1);
  const [limit, setLimit] = usePageSize();
  const [detail, setDetail] = useState<Job | null>(null);
  const { answer, again } = useRead({ call: "imports.list", query: { cursor, limit } }, true);
  const jobs = answer.state === "ready" ? answer.data : null;
  return (
    <section className="panel import-jobs">
      <h2>{t("imports.jobs.title")}</h2>
      <ReadNote
        className="import-jobs-note"
        answer={answer}
        failed={t("imports.jobs.failed")}
        onRetry={again}
      />
      {jobs?.total === 0 && <p className="import-hint">{t("imports.jobs.empty")}</p>}
      {jobs !== null && jobs.total > 0 && (
        <>
          <ScrollBox className="table-scroll">
            <table className="table">
              <thead>
                <tr>
                  <th>{t("imports.jobs.file")}</th>
                  <th>{t("imports.jobs.mode")}</th>
                  <th className="num">{t("imports.jobs.rows")}</th>
                  <th>{t("imports.jobs.result")}</th>
                  <th>{t("imports.jobs.by")}</th>
                  <th>{t("imports.jobs.time")}</th>
                  <th aria-label={t("imports.jobs.detail")} />
                </tr>
              </thead>
              <tbody>
                {jobs.records.map((job) => (
                  <tr key={job.id}>
                    <th scope="row" className="import-jobname ellipsis" title={job.fileName}>
                      {job.fileName}
                    </th>
                    <td>{t(`imports.map.${job.mode}`)}</td>
                    <td className="num">{job.rows.toLocaleString()}</td>
                    <td className="tnum">
                      {t(`imports.jobs.state.${job.state}`)} ·{" "}
                      {t("imports.send.created", { count: job.created })}
                      {job.updated > 0 && ` · ${t("imports.send.updated", { count: job.updated })}`}
                      {job.refused > 0 && ` · ${t("imports.send.refused", { count: job.refused })}`}
                    </td>
                    <td>{job.createdBy.name}</td>
                    <td className="tnum">{formatDate(Date.parse(job.createTime))}</td>
                    <td>
                      {(job.refused > 0 || job.isInvite) && (
                        <Button size="mini" onClick={() => setDetail(job)}>
                          {t("imports.jobs.detail")}
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
          {jobs.total > PAGE_SIZES[0] && (
            <Pager
              total={jobs.total}
              page={cursor}
              size={limit}
              onPage={setCursor}
              onSize={(size) => {
                setCursor(pageAfterResize(cursor, limit, size));
                setLimit(size);
              }}
            />
          )}
        </>
      )}
      {detail !== null && (
        <JobDetail jobId={detail.id} isInvite={detail.isInvite} onClose={() => setDetail(null)} />
      )}
    </section>
  );
}
