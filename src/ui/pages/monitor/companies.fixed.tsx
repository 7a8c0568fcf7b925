/** 企业管理 (docs/server.md#locked-companies): the platform's administrators see all companies, and lock and unlock them. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "../../../shared/domain/format.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useCore } from "../../state/services.ts";
import { showError, showMessage } from "../../state/show-message.ts";

const REASON_MAX = 200;
type Company = Row<"companies.list">;

const TEXTS = texts({
  title: ["企业管理", "Companies"],
  total: ["共 {{count}} 家企业", "{{count}} {count|company|companies}"],
  failed: ["企业未能加载", "The companies could not be loaded"],
  empty: ["通过入驻审批的企业会显示在这里。", "Companies appear here once they are approved."],
  search: ["企业、信用代码或联系人", "Company, credit code or contact"],
  company: ["企业名称", "Company name"],
  creditCode: ["统一社会信用代码", "Unified social credit code"],
  contact: ["联系人", "Contact"],
  phone: ["联系电话", "Phone"],
  members: ["账号数", "Accounts"],
  state: ["状态", "State"],
  open: ["正常", "Open"],
  locked: ["已锁定", "Locked"],
  platform: ["平台自身", "Runs the platform"],
  reason: ["锁定原因", "Why locked"],
  lockedBy: ["锁定人", "Locked by"],
  lockTime: ["锁定时间", "Locked"],
  createTime: ["创建时间", "Created"],
  lock: ["锁定", "Lock"],
  lockTitle: ["锁定“{{company}}”", "Lock “{{company}}”"],
  lockHint: [
    "锁定后，该企业的所有人员立即退出该企业，进行中的通话、会议和导入会停止；他们在其他企业中的工作不受影响。",
    "Everybody in this company is out of it at once, and calls, conferences and imports stop. Their work in other companies goes on.",
  ],
  reasonHint: ["该企业的人员会看到该原因", "The people of the company see this reason"],
  lockDone: ["企业已锁定", "The company is locked"],
  unlock: ["解锁", "Unlock"],
  unlockAsk: [
    "确定解锁“{{company}}”吗？该企业的人员可以重新登录。",
    "Unlock “{{company}}”? Its people can log in again.",
  ],
  unlockDone: ["企业已解锁", "The company is unlocked"],
});

export default function CompaniesPage() {
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const { rest } = useCore().commands;
  const [locking, setLocking] = useState<Company | null>(null);
  const unlock = ({ id, name }: Company): void =>
    ask({
      title: text("unlock"),
      content: text("unlockAsk", { company: name }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "companies.lock", params: { id }, body: { locked: false } })
          .then(() => showMessage("success", text("unlockDone")), showError),
    });
  return (
    <>
      <ListPage
        call="companies.list"
        title={text("title")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        empty={text("empty")}
        filterBar={[
          {
            key: "state",
            label: text("state"),
            options: (["open", "locked"] as const).map((value) => ({ value, label: text(value) })),
          },
        ]}
        nameOf={({ name }) => name}
        columns={[
          {
            title: text("company"),
            sort: "name",
            render: ({ name }) => name,
            width: "minmax(160px, 1.4fr)",
          },
          {
            key: "creditCode",
            title: text("creditCode"),
            render: ({ creditCode }) => creditCode,
            className: "tnum ellipsis",
            width: "minmax(192px, 1fr)",
          },
          { key: "contact", title: text("contact"), render: ({ contact }) => contact },
          {
            key: "phone",
            title: text("phone"),
            render: ({ phone }) => phone,
            className: "tnum ellipsis",
          },
          {
            key: "members",
            title: text("members"),
            render: ({ members }) => String(members),
            className: "tnum",
          },
          {
            key: "state",
            title: text("state"),
            render: ({ lockTime, platform }) => (
              <DictTag
                label={text(platform ? "platform" : lockTime === null ? "open" : "locked")}
                listClass={platform ? "info" : lockTime === null ? "success" : "danger"}
              />
            ),
            width: "minmax(96px, 0.6fr)",
          },
          {
            key: "reason",
            title: text("reason"),
            render: ({ lockReason }) => (lockReason === "" ? null : lockReason),
          },
          { key: "lockedBy", title: text("lockedBy"), render: ({ lockedBy }) => lockedBy },
          {
            title: text("lockTime"),
            sort: "lockTime",
            render: ({ lockTime }) => (lockTime === null ? null : formatDate(Date.parse(lockTime))),
            className: "tnum ellipsis",
            width: "minmax(168px, 1fr)",
          },
          {
            title: text("createTime"),
            sort: "createTime",
            render: ({ createTime }) => formatDate(Date.parse(createTime)),
            className: "tnum ellipsis",
            width: "minmax(168px, 1fr)",
          },
        ]}
        rowActions={[
          {
            label: text("lock"),
            call: "companies.lock",
            danger: true,
            when: ({ lockTime, platform }) => lockTime === null && !platform,
            onClick: setLocking,
          },
          {
            label: text("unlock"),
            call: "companies.lock",
            when: ({ lockTime }) => lockTime !== null,
            onClick: unlock,
          },
        ]}
      />
      {locking !== null && (
        <FormDialog
          title={text("lockTitle", { company: locking.name })}
          okText={text("lock")}
          intro={<p>{text("lockHint")}</p>}
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
              call: "companies.lock",
              params: { id: locking.id },
              body: { locked: true, reason },
            })
          }
          onClose={() => setLocking(null)}
          onSaved={() => showMessage("success", text("lockDone"))}
        />
      )}
    </>
  );
}
