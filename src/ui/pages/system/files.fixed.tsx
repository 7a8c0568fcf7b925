/** The files that the company keeps (docs/server.md#the-files-of-a-company): what they are, what needs them, and how much space is left. */
import { lazy, useState } from "react";
import { fileSize } from "../../../shared/domain/chat-files.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import {
  FILE_USES,
  STORED_KINDS,
  type StoredFileRow,
  type StoredKind,
} from "../../../shared/protocol/rest/stored-files.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { FileSpace } from "../../features/files/FileSpace.tsx";
import { FileUses } from "../../features/files/FileUses.tsx";
import { useFileLabels } from "../../features/files/labels.ts";
import { STORED_FILE_TEXTS } from "../../features/files/texts.ts";
import { dayEnd, dayStart } from "../../features/monitor/days.ts";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useServices } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { Part } from "../../components/Part.tsx";

const StoredPicture = lazy(() => retrying(() => import("../../features/files/StoredPicture.tsx")));
const BulletinReader = lazy(() =>
  retrying(() => import("../../features/bulletins/BulletinReader.tsx")),
);

interface Picture {
  readonly name: string;
  readonly src: string;
}

export default function FilesPage() {
  const text = useTexts(STORED_FILE_TEXTS);
  const labels = useFileLabels();
  const { core, downloads } = useServices();
  const { files, rest } = core.commands;
  const [noticeId, setNoticeId] = useState<string | null>(null);
  const [picture, setPicture] = useState<Picture | null>(null);
  const read = (row: StoredFileRow, then: (content: Blob) => void): void =>
    void files.read({ fileName: row.fileName }).then(then, showError);
  return (
    <>
      <ListPage
        call="storedFiles.list"
        title={text("title")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        empty={text("empty")}
        summary={<FileSpace />}
        exports={{ name: text("title") }}
        filterBar={[
          {
            key: "kind",
            label: text("kind"),
            options: (Object.keys(STORED_KINDS) as StoredKind[]).map((value) => ({
              value,
              label: text(value),
            })),
          },
          {
            key: "use",
            label: text("uses"),
            options: [
              { value: "none", label: text("unused") },
              ...FILE_USES.map((value) => ({ value, label: text(value) })),
            ],
          },
          { key: "uploader", label: text("uploader") },
          { key: "from", label: text("from"), input: "date", send: dayStart },
          { key: "to", label: text("to"), input: "date", send: dayEnd },
        ]}
        nameOf={labels.ofFile}
        columns={[
          {
            key: "name",
            title: text("name"),
            render: labels.ofFile,
            verbatim: true,
            width: "minmax(180px, 2fr)",
          },
          {
            key: "kind",
            title: text("kind"),
            render: ({ kind }) => text(kind),
            width: "minmax(84px, 0.6fr)",
          },
          {
            title: text("size"),
            sort: "size",
            render: ({ size }) => fileSize(size),
            className: "tnum ellipsis",
            width: "minmax(84px, 0.5fr)",
          },
          {
            key: "uploader",
            title: text("uploader"),
            render: ({ uploader }) => uploader ?? text("gone"),
            verbatim: true,
            width: "minmax(96px, 0.7fr)",
          },
          {
            title: text("time"),
            sort: "createTime",
            render: ({ createTime }) => formatDate(Date.parse(createTime), "{y}-{m}-{d} {h}:{i}"),
            className: "tnum ellipsis",
            width: "minmax(150px, 0.9fr)",
          },
          {
            key: "uses",
            title: text("uses"),
            render: ({ uses }) => <FileUses uses={uses} onBulletin={setNoticeId} />,
            cell: ({ uses }) => labels.ofUses(uses),
            width: "minmax(160px, 1.6fr)",
          },
        ]}
        rowActions={[
          {
            label: text("preview"),
            when: ({ kind, readable }) => kind === "picture" && readable,
            onClick: (row) =>
              read(row, (content) =>
                setPicture({ name: row.originalName, src: URL.createObjectURL(content) }),
              ),
          },
          {
            label: text("download"),
            when: ({ readable }) => readable,
            onClick: ({ fileName, originalName }) =>
              void downloads.save(originalName, { kind: "file", fileName }),
          },
        ]}
        remove={{
          call: "storedFiles.delete",
          when: ({ uses }) => uses.length === 0,
          many: true,
          run: (rows) =>
            rest.call({
              call: "storedFiles.delete",
              params: { id: rows.map(({ id }) => id).join(",") },
            }),
        }}
      />
      <Part onFailed={() => setPicture(null)}>
        {picture !== null && <StoredPicture {...picture} onClose={() => setPicture(null)} />}
      </Part>
      <Part onFailed={() => setNoticeId(null)}>
        {noticeId !== null && (
          <BulletinReader noticeId={noticeId} marks={false} onClose={() => setNoticeId(null)} />
        )}
      </Part>
    </>
  );
}
