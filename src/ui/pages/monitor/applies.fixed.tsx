/** 入驻审批 (docs/session.md#registration): the platform's people approve or refuse the applications of companies. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { mayBecome } from "../../../shared/domain/apply-decision.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { WithSmsNotice } from "../../features/sms/WithSmsNotice.tsx";
import { ApplyFacts } from "../../features/register/ApplyFacts.tsx";
import { ApplyTag } from "../../features/register/ApplyState.tsx";
import { REGISTER_TEXTS } from "../../features/register/texts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";

const REASON_MAX = 200;
type Apply = Row<"registration.companyApplies">;

export default function AppliesPage() {
  const { t } = useTranslation();
  const text = useTexts(REGISTER_TEXTS);
  const { rest } = useCore().commands;
  const [refusing, setRefusing] = useState<Apply | null>(null);
  const [approving, setApproving] = useState<Apply | null>(null);
  return (
    <WithSmsNotice>
      <ListPage
        call="registration.companyApplies"
        title={text("appliesTitle")}
        total={(count) => text("appliesTotal", { count })}
        search={text("appliesSearch")}
        failed={text("appliesFailed")}
        empty={text("appliesEmpty")}
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
            width: "minmax(168px, 1fr)",
          },
        ]}
        rowActions={[
          {
            label: text("approve"),
            call: "registration.decide",
            when: ({ status }) => mayBecome(status, "approved"),
            onClick: setApproving,
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
      {approving !== null && (
        <FormDialog
          title={text("approve")}
          okText={t("common.ok")}
          intro={
            <>
              <p>{text("approveAsk", { company: approving.supplierName })}</p>
              <ApplyFacts apply={approving} />
            </>
          }
          fields={[]}
          values={{}}
          save={() =>
            rest.call({
              call: "registration.decide",
              params: { id: approving.id },
              body: { status: "approved" },
            })
          }
          onClose={() => setApproving(null)}
          onSaved={() => showMessage("success", text("approvedDone"))}
        />
      )}
      {refusing !== null && (
        <FormDialog
          title={text("refuseTitle", { company: refusing.supplierName })}
          okText={text("refuse")}
          intro={<ApplyFacts apply={refusing} />}
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
    </WithSmsNotice>
  );
}
