/** Bulletins of the company, for those who write them. */
import { lazy, useState } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import type { BulletinText } from "../../../shared/protocol/rest/bulletins.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { LIST_TEXTS } from "../../components/list/texts.ts";
import { BULLETIN_TEXTS } from "../../features/bulletins/texts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { Part } from "../../components/Part.tsx";

const BulletinDialog = lazy(() =>
  retrying(() => import("../../features/bulletins/BulletinDialog.tsx")),
);
const BulletinReader = lazy(() =>
  retrying(() => import("../../features/bulletins/BulletinReader.tsx")),
);

type Open =
  | { readonly dialog: "edit"; readonly bulletin: BulletinText | null }
  | { readonly dialog: "view"; readonly noticeId: string };

export default function NoticePage() {
  const text = useTexts(BULLETIN_TEXTS);
  const common = useTexts(LIST_TEXTS);
  const { rest } = useCore().commands;
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const types = [
    { value: "1", label: text("notice") },
    { value: "2", label: text("announcement") },
  ];
  const states = [
    { value: "0", label: text("published") },
    { value: "1", label: text("draft") },
  ];
  const edit = (noticeId: string): void =>
    void rest
      .call({ call: "bulletins.get", params: { noticeId } })
      .then((bulletin) => setOpen({ dialog: "edit", bulletin }), showError);
  return (
    <>
      <ListPage
        call="bulletins.list"
        title={text("title")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        empty={text("emptyList")}
        exports={{ name: text("title") }}
        filterBar={[
          { key: "noticeType", label: text("type"), options: types },
          { key: "status", label: text("status"), options: states },
        ]}
        nameOf={({ noticeTitle }) => noticeTitle}
        columns={[
          {
            key: "name",
            title: text("name"),
            render: ({ noticeTitle }) => noticeTitle,
            width: "minmax(180px, 2fr)",
          },
          {
            key: "type",
            title: text("type"),
            render: ({ noticeType }) => text(noticeType === "1" ? "notice" : "announcement"),
            width: "minmax(72px, 0.5fr)",
          },
          {
            key: "status",
            title: text("status"),
            render: ({ status }) => (
              <DictTag
                label={text(status === "0" ? "published" : "draft")}
                listClass={status === "0" ? "success" : "info"}
              />
            ),
            cell: ({ status }) => text(status === "0" ? "published" : "draft"),
            width: "minmax(96px, 0.6fr)",
          },
          {
            key: "readers",
            title: text("readers"),
            render: ({ readers, people }) => text("readersOf", { readers, people }),
            className: "tnum",
            width: "minmax(110px, 0.7fr)",
          },
          { key: "author", title: text("author"), render: ({ createBy }) => createBy },
          {
            key: "time",
            title: text("time"),
            render: ({ publishTime }) => formatDate(Date.parse(publishTime), "{y}-{m}-{d} {h}:{i}"),
            className: "tnum",
            width: "minmax(150px, 1fr)",
          },
        ]}
        create={{
          call: "bulletins.create",
          onClick: () => setOpen({ dialog: "edit", bulletin: null }),
        }}
        rowActions={[
          {
            label: text("preview"),
            onClick: ({ noticeId }) => setOpen({ dialog: "view", noticeId }),
          },
          {
            label: common("edit"),
            call: "bulletins.update",
            onClick: ({ noticeId }) => edit(noticeId),
          },
        ]}
        remove={{
          call: "bulletins.delete",
          many: true,
          run: (rows) =>
            rest.call({
              call: "bulletins.delete",
              params: { id: rows.map(({ noticeId }) => noticeId).join(",") },
            }),
        }}
      />
      <Part onFailed={close}>
        {open?.dialog === "edit" && <BulletinDialog bulletin={open.bulletin} onClose={close} />}
        {open?.dialog === "view" && (
          <BulletinReader noticeId={open.noticeId} marks={false} onClose={close} />
        )}
      </Part>
    </>
  );
}
