/** 加入申请 (docs/server.md#membership-applications): the company approves or refuses those who apply by an invitation. */
import { useState } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { ApproveDialog } from "../../features/employees/ApproveDialog.tsx";
import { APPLY_TEXTS } from "../../features/employees/apply-texts.ts";
import { ApplyTag } from "../../features/register/ApplyState.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";

const REASON_MAX = 200;
type Apply = Row<"employees.applies">;
const NEWEST_FIRST = { descParameter: "id" } as const;

export default function MembershipAppliesPage() {
  const text = useTexts(APPLY_TEXTS);
  const { rest } = useCore().commands;
  const [approving, setApproving] = useState<Apply | null>(null);
  const [refusing, setRefusing] = useState<Apply | null>(null);
  const isOpen = ({ status }: Apply): boolean => status === "pending";
  return (
    <>
      <ListPage
        call="employees.applies"
        title={text("title")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        empty={text("empty")}
        filters={NEWEST_FIRST}
        filterBar={[
          {
            key: "status",
            label: text("status"),
            options: (["pending", "approved", "refused"] as const).map((value) => ({
              value,
              label: text(value),
            })),
          },
        ]}
        nameOf={({ name }) => name}
        columns={[
          {
            key: "name",
            title: text("name"),
            render: ({ name }) => name,
            width: "minmax(88px, 1fr)",
          },
          {
            key: "phone",
            title: text("phone"),
            render: ({ phone }) => phone,
            className: "tnum ellipsis",
          },
          {
            key: "department",
            title: text("department"),
            render: ({ department }) => department,
            width: "minmax(96px, 1fr)",
          },
          {
            key: "position",
            title: text("position"),
            render: ({ position }) => position,
            width: "minmax(88px, 1fr)",
          },
          {
            key: "status",
            title: text("status"),
            render: ({ status }) => <ApplyTag status={status} />,
            cell: ({ status }) => text(status),
            width: "minmax(96px, 0.6fr)",
          },
          {
            key: "reason",
            title: text("reason"),
            render: ({ reason = "" }) => (reason === "" ? null : reason),
          },
          {
            key: "decidedBy",
            title: text("decidedBy"),
            render: ({ decidedBy }) => decidedBy,
            width: "minmax(88px, 1fr)",
          },
          {
            key: "createTime",
            title: text("appliedAt"),
            render: ({ createTime }) => formatDate(Date.parse(createTime)),
            className: "tnum ellipsis",
            width: "minmax(168px, 1fr)",
          },
        ]}
        rowActions={[
          {
            label: text("approve"),
            call: "employees.decideApply",
            when: isOpen,
            onClick: setApproving,
          },
          {
            label: text("refuse"),
            call: "employees.decideApply",
            danger: true,
            when: isOpen,
            onClick: setRefusing,
          },
        ]}
      />
      {approving !== null && <ApproveDialog apply={approving} onClose={() => setApproving(null)} />}
      {refusing !== null && (
        <FormDialog
          title={text("refuseTitle", { name: refusing.name })}
          okText={text("refuse")}
          fields={[
            {
              key: "reason",
              label: text("reason"),
              input: "area",
              required: true,
              max: REASON_MAX,
              hint: text("reasonHint"),
            },
          ]}
          values={{ reason: "" }}
          save={({ reason = "" }) =>
            rest.call({
              call: "employees.decideApply",
              params: { id: refusing.id },
              body: { status: "refused", reason },
            })
          }
          onClose={() => setRefusing(null)}
          onSaved={() => showMessage("success", text("refusedDone"))}
        />
      )}
    </>
  );
}
