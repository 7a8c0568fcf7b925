/** 入驻审批 (docs/session.md#registration): the platform's people approve or refuse the applications of companies. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { mayBecome } from "../../../shared/domain/apply-decision.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { ApplyTag } from "../../features/register/ApplyState.tsx";
import { REGISTER_TEXTS } from "../../features/register/texts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";

const REASON_MAX = 200;
type Apply = Row<"registration.companyApplies">;

export default function AppliesPage() {
  const { t } = useTranslation();
  const text = useTexts(REGISTER_TEXTS);
  const { rest } = useCore().commands;
  const [refusing, setRefusing] = useState<Apply | null>(null);
  const approve = ({ id, supplierName }: Apply): void =>
    ask({
      title: text("approve"),
      content: text("approveAsk", { company: supplierName }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "registration.decide", params: { id }, body: { status: "approved" } })
          .then(() => showMessage("success", text("approvedDone")), showError),
    });
  return (
    <>
      <ListPage
        call="registration.companyApplies"
        title={text("appliesTitle")}
        total={(count) => text("appliesTotal", { count })}
        search={text("appliesSearch")}
        failed={text("appliesFailed")}
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
        nameOf={({ supplierName }) => supplierName}
        columns={[
          {
            title: text("company"),
            sort: "supplierName",
            render: ({ supplierName }) => supplierName,
            verbatim: true,
            width: "minmax(160px, 1.4fr)",
          },
          {
            key: "creditCode",
            title: text("creditCode"),
            render: ({ creditCode }) => creditCode,
            verbatim: true,
            className: "tnum ellipsis",
            width: "minmax(192px, 1fr)",
          },
          {
            key: "contact",
            title: text("contact"),
            verbatim: true,
            render: ({ contact }) => contact,
          },
          {
            key: "mobile",
            title: text("mobile"),
            render: ({ mobile }) => mobile,
            verbatim: true,
            className: "tnum ellipsis",
          },
          {
            title: text("status"),
            sort: "status",
            render: ({ status }) => <ApplyTag status={status} />,
            width: "minmax(96px, 0.6fr)",
          },
          {
            key: "reason",
            title: text("reason"),
            render: ({ reason }) => (reason === "" ? null : reason),
          },
          {
            key: "decidedBy",
            title: text("decidedBy"),
            verbatim: true,
            render: ({ decidedBy }) => decidedBy,
          },
          {
            title: text("appliedAt"),
            sort: "createTime",
            render: ({ createTime }) => formatDate(Date.parse(createTime)),
            className: "tnum ellipsis",
            width: "minmax(160px, 1fr)",
          },
        ]}
        rowActions={[
          {
            label: text("approve"),
            call: "registration.decide",
            when: ({ status }) => mayBecome(status, "approved"),
            onClick: approve,
          },
          {
            label: text("refuse"),
            call: "registration.decide",
            danger: true,
            when: ({ status }) => mayBecome(status, "refused"),
            onClick: setRefusing,
          },
        ]}
      />
      {refusing !== null && (
        <FormDialog
          title={text("refuseTitle", { company: refusing.supplierName })}
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
              call: "registration.decide",
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
