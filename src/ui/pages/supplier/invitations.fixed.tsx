/** 邀请记录 (docs/server.md#invitations): which invitations are open, who joined by them, their links again, and their early end. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "../../../shared/domain/format.ts";
import type { InvitationStatus } from "../../../shared/protocol/rest/invitations.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import { DictTag } from "../../components/DictTag.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { InviteLinks } from "../../features/employees/InviteLinks.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";

const TEXTS = texts({
  title: ["邀请记录", "Invitations"],
  total: ["共 {{count}} 个邀请", "{{count}} invitations"],
  failed: ["邀请记录未能加载", "The invitations could not be loaded"],
  search: ["部门、岗位或姓名", "Department, position or name"],
  forWhom: ["邀请对象", "Invited"],
  anybody: ["新员工", "New staff"],
  status: ["状态", "State"],
  open: ["可使用", "Open"],
  used: ["已用完", "Used"],
  expired: ["已过期", "Expired"],
  revoked: ["已撤回", "Revoked"],
  roles: ["角色", "Roles"],
  staff: ["员工", "Staff"],
  uses: ["已加入", "Joined"],
  people: ["加入的人", "People who joined"],
  createdBy: ["邀请人", "Invited by"],
  createTime: ["邀请时间", "Invited at"],
  expiresAt: ["有效期至", "Valid until"],
  link: ["查看链接", "Show the link"],
  revoke: ["撤回", "Revoke"],
  revokeAsk: [
    "撤回后无人再能使用该链接加入，已加入的人不受影响。确定要撤回吗？",
    "Nobody else can join by the link; who has joined stays. Revoke it?",
  ],
  revokeDone: ["邀请已撤回", "The invitation is revoked"],
});

const KINDS: Readonly<Record<InvitationStatus, string>> = {
  open: "success",
  used: "primary",
  expired: "info",
  revoked: "danger",
};
type Invitation = Row<"invitations.list">;

export default function InvitationsPage() {
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const { rest } = useCore().commands;
  const [shown, setShown] = useState<Invitation | null>(null);
  const whom = ({ employee, department, position }: Invitation): string =>
    [employee?.name ?? text("anybody"), department, position]
      .filter((part) => part !== null && part !== "")
      .join(" · ");
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
  return (
    <>
      <ListPage
        call="invitations.list"
        title={text("title")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        filterBar={[
          {
            key: "status",
            label: text("status"),
            options: (["open", "used", "expired", "revoked"] as const).map((value) => ({
              value,
              label: text(value),
            })),
          },
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
            render: ({ status }) => <DictTag label={text(status)} listClass={KINDS[status]} />,
            cell: ({ status }) => text(status),
            width: "minmax(96px, 0.6fr)",
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
            width: "minmax(160px, 1fr)",
          },
          {
            title: text("expiresAt"),
            sort: "expiresAt",
            render: ({ expiresAt }) => formatDate(Date.parse(expiresAt)),
            className: "tnum ellipsis",
            width: "minmax(160px, 1fr)",
          },
        ]}
        rowActions={[
          {
            label: text("link"),
            call: "invitations.list",
            when: ({ status }) => status === "open",
            onClick: setShown,
          },
          {
            label: text("revoke"),
            call: "invitations.revoke",
            danger: true,
            when: ({ status }) => status === "open",
            onClick: askRevoke,
          },
        ]}
      />
      {shown !== null && (
        <LinkDialog title={whom(shown)} row={shown} onClose={() => setShown(null)} />
      )}
    </>
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
