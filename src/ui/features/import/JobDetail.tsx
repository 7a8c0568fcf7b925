/** The rows of a job that the server refused, and the invitations that the job created. */
import { Button, Drawer, Tabs } from "@arco-design/web-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PAGE_SIZES, pageAfterResize } from "../../../shared/domain/page-sizes.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import type { Answer } from "../../../core-client/contracts.ts";
import { usePageSize } from "../../components/list/usePages.ts";
import { Pager } from "../../components/Pager.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useMediaQuery } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { useRead } from "../../state/useRead.ts";

export function JobDetail(props: {
  readonly jobId: string;
  readonly isInvite: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const narrow = useMediaQuery("(max-width: 720px)");
  return (
    <Drawer
      visible
      title={t("imports.jobs.detail")}
      width={narrow ? "100%" : 640}
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <Tabs defaultActiveTab={props.isInvite ? "invitations" : "refusals"}>
        <Tabs.TabPane key="refusals" title={t("imports.send.refusals")}>
          <RefusalList jobId={props.jobId} />
        </Tabs.TabPane>
        {props.isInvite && (
          <Tabs.TabPane key="invitations" title={t("imports.send.invitations")}>
            <InvitationList jobId={props.jobId} />
          </Tabs.TabPane>
        )}
      </Tabs>
    </Drawer>
  );
}

function usePaging() {
  const [cursor, setCursor] = useState(1);
  const [limit, setLimit] = usePageSize();
  const resize = (size: typeof limit): void => {
    setCursor(pageAfterResize(cursor, limit, size));
    setLimit(size);
  };
  return { query: { cursor, limit }, setCursor, resize };
}

/** A table of one page of records, with the pagination below. */
function Paged<T>(props: {
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
        state={answer.state}
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

function RefusalList({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation();
  const paging = usePaging();
  const { answer, again } = useRead(
    { call: "imports.refusals", params: { id: jobId }, query: paging.query },
    true,
  );
  return (
    <Paged
      answer={answer}
      onRetry={again}
      paging={paging}
      heads={[
        t("imports.check.row"),
        t("imports.send.refusalField"),
        t("imports.send.refusalMessage"),
      ]}
      renderRow={(one) => (
        <tr key={`${one.row}:${one.field ?? ""}:${one.message}`}>
          <td className="tnum">{one.row}</td>
          <td>{one.field ?? "–"}</td>
          <td>{one.message}</td>
        </tr>
      )}
    />
  );
}

function InvitationList({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation();
  const copy = (link: string): void => {
    navigator.clipboard
      .writeText(new URL(link, location.origin).href)
      .then(() => showMessage("success", t("imports.send.copied")), showError);
  };
  const paging = usePaging();
  const { answer, again } = useRead(
    { call: "imports.invitations", params: { id: jobId }, query: paging.query },
    true,
  );
  return (
    <Paged
      answer={answer}
      onRetry={again}
      paging={paging}
      heads={[t("imports.send.invitee"), t("imports.send.expires"), t("imports.send.link")]}
      renderRow={(one) => (
        <tr key={one.employeeId}>
          <td>{one.name}</td>
          <td className="tnum">{formatDate(Date.parse(one.expiresAt))}</td>
          <td>
            <Button size="mini" onClick={() => copy(one.link)}>
              {t("imports.send.copy")}
            </Button>
          </td>
        </tr>
      )}
    />
  );
}
