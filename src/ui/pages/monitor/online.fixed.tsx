/** Logins of the company's people that go on (docs/server.md#logs). The administrator may end each but the own one. */
import { useTranslation } from "react-i18next";
import { formatDate } from "../../../shared/domain/format.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { agentName } from "../../features/monitor/agent.ts";
import { MONITOR_TEXTS } from "../../features/monitor/texts.ts";
import { useSystemName } from "../../features/monitor/useSystemName.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";

export default function OnlinePage() {
  const { t } = useTranslation();
  const text = useTexts(MONITOR_TEXTS);
  const systemName = useSystemName();
  const { rest } = useCore().commands;
  const end = ({ id, name }: { readonly id: string; readonly name: string }): void =>
    ask({
      title: text("end"),
      content: text("endAsk", { name }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "online.end", params: { id } })
          .then(() => showMessage("success", text("ended")), showError),
    });
  return (
    <ListPage
      call="online.list"
      title={text("onlineTitle")}
      total={(count) => text("onlineTotal", { count })}
      search={text("search")}
      failed={text("onlineFailed")}
      empty={text("onlineEmpty")}
      nameOf={({ name }) => name}
      columns={[
        { title: text("name"), sort: "name", verbatim: true, render: ({ name }) => name },
        {
          title: text("username"),
          sort: "username",
          verbatim: true,
          render: ({ username }) => username,
        },
        {
          key: "state",
          title: text("state"),
          render: ({ active, current }) => (
            <DictTag
              label={text(current ? "current" : active ? "active" : "idle")}
              listClass={active ? "success" : "info"}
            />
          ),
          width: "minmax(96px, 0.5fr)",
        },
        {
          title: text("address"),
          sort: "address",
          render: ({ address }) => address,
          verbatim: true,
          className: "tnum ellipsis",
        },
        {
          key: "device",
          title: text("device"),
          render: ({ userAgent }) => (userAgent === "" ? null : agentName(userAgent)),
          width: "minmax(160px, 1fr)",
        },
        { title: text("system"), sort: "systemName", render: (row) => systemName(row.systemName) },
        {
          title: text("since"),
          sort: "createTime",
          render: ({ createTime }) => formatDate(Date.parse(createTime)),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
        {
          title: text("lastActive"),
          sort: "activeTime",
          render: ({ activeTime }) => formatDate(Date.parse(activeTime)),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
      ]}
      rowActions={[
        {
          label: text("end"),
          danger: true,
          call: "online.end",
          when: ({ current }) => !current,
          onClick: end,
        },
      ]}
    />
  );
}
