/** The rows of a job that the server refused, and the invitations that the job created. */
import { Button, Drawer, Tabs } from "@arco-design/web-react";
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PAGE_SIZES, pageAfterResize } from "../../../shared/domain/page-sizes.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import type { CommandOutput } from "../../../shared/protocol/core-rpc.ts";
import { usePageSize } from "../../components/list/usePages.ts";
import { Pager } from "../../components/Pager.tsx";
import { useCore, useMediaQuery } from "../../state/services.ts";
import { tell, tellError } from "../../state/tell.ts";

type Refusals = CommandOutput<"imports", "refusals">;
type Invitations = CommandOutput<"imports", "invitations">;

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

type Load<T> = (cursor: number, limit: number) => Promise<T>;

function usePage<T>(load: Load<T>) {
  const [cursor, setCursor] = useState(1);
  const [limit, setLimit] = usePageSize();
  const [page, setPage] = useState<T | null>(null);
  useEffect(() => {
    let live = true;
    load(cursor, limit).then((found) => live && setPage(found), tellError);
    return () => {
      live = false;
    };
  }, [cursor, limit, load]);
  const resize = (size: typeof limit): void => {
    setCursor(pageAfterResize(cursor, limit, size));
    setLimit(size);
  };
  return { page, cursor, setCursor, limit, resize };
}

/** A table of one page of records, with the pagination below. */
function Paged<T>(props: {
  readonly load: Load<{ records: T[]; total: number }>;
  readonly heads: readonly string[];
  readonly renderRow: (record: T) => ReactNode;
}) {
  const { t } = useTranslation();
  const { page, cursor, setCursor, limit, resize } = usePage(props.load);
  if (page === null) return <p className="import-hint">{t("common.loading")}</p>;
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
        <Pager total={page.total} page={cursor} size={limit} onPage={setCursor} onSize={resize} />
      )}
    </>
  );
}

function RefusalList({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation();
  const { imports } = useCore().commands;
  return (
    <Paged<Refusals["records"][number]>
      load={useCallback(
        (cursor: number, limit: number) => imports.refusals({ id: jobId, cursor, limit }),
        [imports, jobId],
      )}
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
  const { imports } = useCore().commands;
  const copy = (link: string): void => {
    navigator.clipboard
      .writeText(new URL(link, location.origin).href)
      .then(() => tell("success", t("imports.send.copied")), tellError);
  };
  return (
    <Paged<Invitations["records"][number]>
      load={useCallback(
        (cursor: number, limit: number) => imports.invitations({ id: jobId, cursor, limit }),
        [imports, jobId],
      )}
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
