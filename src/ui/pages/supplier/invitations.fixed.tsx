/**
 * 邀请记录 (docs/server.md#invitations): which invitations are open, who joined by them, their links again, by SMS and on paper, and their early
 * end.
 */
import { Button } from "@arco-design/web-react";
import { lazy, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "../../../shared/domain/format.ts";
import { INVITATION_STATES } from "../../../shared/protocol/rest/invitations.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import { DictTag } from "../../components/DictTag.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import {
  INVITATION_KINDS,
  INVITATION_TEXTS,
  isUsable,
} from "../../features/employees/invitation-texts.ts";
import {
  MOST_CODES,
  printedLink,
  type PrintedLink,
} from "../../features/employees/printed-link.ts";
import { WithSmsNotice } from "../../features/sms/WithSmsNotice.tsx";
import { InviteLinks } from "../../features/employees/InviteLinks.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useMay } from "../../state/may.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { useRead } from "../../state/useRead.ts";
import { Part } from "../../components/Part.tsx";

const MobileInviteDialog = lazy(() =>
  retrying(() => import("../../features/employees/MobileInviteDialog.tsx")).then((m) => ({
    default: m.MobileInviteDialog,
  })),
);
const QrSheet = lazy(() =>
  retrying(() => import("../../features/employees/QrSheet.tsx")).then((m) => ({
    default: m.QrSheet,
  })),
);
const PrintQrDialog = lazy(() =>
  retrying(() => import("../../features/employees/PrintQrDialog.tsx")).then((m) => ({
    default: m.PrintQrDialog,
  })),
);

/** The latest imports, which the filter offers. */
const IMPORTS = 100;
type Invitation = Row<"invitations.list">;

export default function InvitationsPage() {
  const { t } = useTranslation();
  const text = useTexts(INVITATION_TEXTS);
  const may = useMay();
  const { rest } = useCore().commands;
  const [shown, setShown] = useState<Invitation | null>(null);
  const [dialog, setDialog] = useState<"mobile" | "print" | null>(null);
  const close = (): void => setDialog(null);
  /** The chosen invitations on paper. */
  const [printed, setPrinted] = useState<readonly PrintedLink[] | null>(null);
  const endPrint = useCallback(() => setPrinted(null), []);
  const { answer } = useRead(
    may("imports.list") ? { call: "imports.list", query: { limit: IMPORTS } } : null,
  );
  const imports = (answer.state === "ready" ? answer.data.records : [])
    .filter(({ isInvite }) => isInvite)
    .map(({ id, fileName }) => ({ value: id, label: fileName }));
  const whom = ({ employee, mobile, department, position }: Invitation): string =>
    [employee?.name ?? mobile ?? text("anybody"), department, position]
      .filter((part) => part !== null && part !== "")
      .join(" · ");
  const withCodes = (
    rows: readonly Invitation[],
    then: (links: readonly PrintedLink[]) => void,
  ): void => {
    // Meanwhile somebody may have used or revoked one.
    const links = rows.filter(isUsable).map((row) => printedLink(row, whom(row)));
    if (links.length > MOST_CODES) showMessage("warning", text("manyCodes", { most: MOST_CODES }));
    else if (links.length > 0) then(links);
  };
  const askRevoke = ({ id }: Invitation): void =>
    ask({
      title: text("revoke"),
      content: text("revokeAsk"),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "invitations.revoke", params: { id } })
          .then(() => showMessage("success", text("revokeDone")), showError),
    });
  const askSend = (row: Invitation): void =>
    ask({
      title: text("send"),
      content: text("sendAsk", { name: whom(row) }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "invitations.send", params: { id: row.id } })
          .then(() => showMessage("success", text("sendDone")), showError),
    });
  return (
    <WithSmsNotice usage>
      <ListPage
        call="invitations.list"
        title={text("title")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failedList")}
        empty={text("emptyList")}
        exports={{ name: text("title"), call: "invitations.list" }}
        filterBar={[
          {
            key: "status",
            label: text("status"),
            options: INVITATION_STATES.map((value) => ({ value, label: text(value) })),
          },
          { key: "importId", label: text("fromImport"), options: imports },
        ]}
        nameOf={whom}
        columns={[
          {
            key: "forWhom",
            title: text("forWhom"),
            render: whom,
            width: "minmax(180px, 1.4fr)",
          },
          {
            key: "status",
            title: text("status"),
            render: ({ status }) => (
              <DictTag label={text(status)} listClass={INVITATION_KINDS[status]} />
            ),
            cell: ({ status }) => text(status),
            width: "minmax(108px, 0.6fr)",
          },
          {
            key: "reason",
            title: text("reason"),
            render: ({ reason }) => (reason === "" ? null : reason),
          },
          {
            key: "roles",
            title: text("roles"),
            render: ({ roles }) => (roles.length === 0 ? text("staff") : roles.join("、")),
          },
          {
            key: "uses",
            title: text("uses"),
            render: ({ uses, usesMax }) => `${uses} / ${usesMax}`,
            className: "tnum ellipsis",
            width: "minmax(80px, 0.5fr)",
          },
          {
            key: "people",
            title: text("people"),
            render: ({ people }) => (people.length === 0 ? null : people.join("、")),
          },
          { key: "createdBy", title: text("createdBy"), render: ({ createdBy }) => createdBy },
          {
            title: text("createTime"),
            sort: "createTime",
            render: ({ createTime }) => formatDate(Date.parse(createTime)),
            className: "tnum ellipsis",
            width: "minmax(168px, 1fr)",
          },
          {
            title: text("expiresAt"),
            sort: "expiresAt",
            render: ({ expiresAt }) => formatDate(Date.parse(expiresAt)),
            className: "tnum ellipsis",
            width: "minmax(168px, 1fr)",
          },
          {
            key: "link",
            title: text("address"),
            // one that nobody can use any more leads nowhere
            render: (row) => (isUsable(row) ? new URL(row.link, location.origin).href : null),
            verbatim: true,
          },
        ]}
        rowActions={[
          {
            label: text("link"),
            call: "invitations.list",
            when: isUsable,
            onClick: setShown,
          },
          {
            label: text("send"),
            call: "invitations.send",
            when: (row) => isUsable(row) && row.sendable,
            onClick: askSend,
          },
          {
            label: text("revoke"),
            call: "invitations.revoke",
            danger: true,
            when: isUsable,
            onClick: askRevoke,
          },
        ]}
        bulk={[
          {
            label: text("printQr"),
            call: "invitations.list",
            when: isUsable,
            all: (rows) => withCodes(rows, setPrinted),
          },
          {
            label: text("saveQr"),
            call: "invitations.list",
            when: isUsable,
            all: (rows) =>
              withCodes(rows, (links) => {
                retrying(() => import("../../features/employees/qr-files.ts"))
                  .then((files) => files.saveQrCodes(links, text("qrFile")))
                  .catch(showError);
              }),
          },
        ]}
        actions={
          may("invitations.byMobile") && (
            <>
              <Button data-call="invitations.byMobile" onClick={() => setDialog("mobile")}>
                {text("byMobile")}
              </Button>
              <Button data-call="invitations.list" onClick={() => setDialog("print")}>
                {text("printQr")}
              </Button>
            </>
          )
        }
      />
      {shown !== null && (
        <LinkDialog title={whom(shown)} row={shown} onClose={() => setShown(null)} />
      )}
      <Part onFailed={endPrint}>
        {printed !== null && <QrSheet links={printed} onEnd={endPrint} />}
      </Part>
      <Part onFailed={close}>
        {dialog === "mobile" && <MobileInviteDialog onClose={close} />}
        {dialog === "print" && (
          <PrintQrDialog imports={imports} importId="" nameOf={whom} onClose={close} />
        )}
      </Part>
    </WithSmsNotice>
  );
}

function LinkDialog(props: {
  readonly title: string;
  readonly row: Invitation;
  readonly onClose: () => void;
}) {
  const { link, expiresAt, usesMax } = props.row;
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  return (
    <Dialog
      visible
      title={props.title}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
    >
      <InviteLinks
        links={[new URL(link, location.origin).href]}
        expiresAt={expiresAt}
        uses={usesMax}
      />
    </Dialog>
  );
}
