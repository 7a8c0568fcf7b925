/** 材料收取 (docs/server.md#inaugural-documents): what every employee has handed in of the documents that the company asks for. */
import { useState } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import { DOCUMENT_STATES } from "../../../shared/protocol/rest/documents.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { type DocumentAct, DocumentDialogs } from "../../features/documents/DocumentDialogs.tsx";
import { DocumentFiles, DocumentTag } from "../../features/documents/look.tsx";
import { DOCUMENT_TEXTS } from "../../features/documents/texts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useRead } from "../../state/useRead.ts";
import "../../features/documents/documents.css";

/** More kinds than a company asks for. */
const MOST = 200;

export default function HandedDocumentsPage() {
  const text = useTexts(DOCUMENT_TEXTS);
  const { answer } = useRead({
    call: "documentKinds.list",
    query: { limit: MOST, searchCount: false },
  });
  const kinds = answer.state === "ready" ? answer.data.records : [];
  const [acting, setActing] = useState<DocumentAct | null>(null);
  return (
    <>
      <ListPage
        call="documents.list"
        paging={{ in: "body" }}
        title={text("page")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        empty={text("empty")}
        exports={{ name: text("page"), call: "documents.list" }}
        filterBar={[
          {
            key: "kindId",
            label: text("kind"),
            options: kinds.map(({ id, title }) => ({ value: id, label: title })),
          },
          {
            key: "status",
            label: text("status"),
            options: DOCUMENT_STATES.map((value) => ({ value, label: text(value) })),
          },
        ]}
        nameOf={({ employeeName, title }) => `${employeeName} ${title}`}
        columns={[
          {
            title: text("employee"),
            sort: "employeeName",
            render: ({ employeeName }) => employeeName,
            verbatim: true,
          },
          { key: "department", title: text("department"), render: ({ department }) => department },
          { title: text("kind"), sort: "title", render: ({ title }) => title },
          {
            key: "status",
            title: text("status"),
            render: ({ status }) => <DocumentTag status={status} />,
            cell: ({ status }) => text(status),
            width: "minmax(96px, 0.6fr)",
          },
          {
            key: "files",
            title: text("files"),
            render: ({ files, status }) =>
              files.length > 0 ? (
                <DocumentFiles files={files} />
              ) : status === "accepted" ? (
                text("paper")
              ) : null,
            cell: ({ files }) => files.map(({ originalName }) => originalName).join("、"),
            width: "minmax(160px, 1.2fr)",
          },
          {
            key: "reason",
            title: text("reason"),
            render: ({ reason }) => (reason === "" ? null : reason),
          },
          {
            title: text("expiresOn"),
            sort: "expiresOn",
            render: ({ expiresOn }) => expiresOn,
            className: "tnum ellipsis",
          },
          {
            title: text("handedAt"),
            sort: "createTime",
            render: ({ createTime }) =>
              createTime === null ? null : formatDate(Date.parse(createTime)),
            className: "tnum ellipsis",
            width: "minmax(168px, 1fr)",
          },
          { key: "handedBy", title: text("handedBy"), render: ({ handedBy }) => handedBy },
          { key: "decidedBy", title: text("decidedBy"), render: ({ decidedBy }) => decidedBy },
        ]}
        rowActions={[
          {
            label: text("accept"),
            call: "documents.decide",
            when: ({ status, kindId }) =>
              kindId !== null && (status === "handed" || status === "missing"),
            onClick: (document) => setActing({ act: "accept", document }),
          },
          {
            label: text("refuse"),
            call: "documents.decide",
            danger: true,
            when: ({ status, kindId }) =>
              kindId !== null && (status === "handed" || status === "accepted"),
            onClick: (document) => setActing({ act: "refuse", document }),
          },
          {
            label: text("handInFor"),
            call: "documents.handIn",
            when: ({ kindId }) => kindId !== null,
            onClick: (document) => setActing({ act: "handIn", document }),
          },
        ]}
      />
      {acting !== null && <DocumentDialogs {...acting} onClose={() => setActing(null)} />}
    </>
  );
}
