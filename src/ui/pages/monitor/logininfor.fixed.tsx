/** Right and wrong attempts to log in with the names of the company's people (docs/server.md#logs). */
import { formatDate } from "../../../shared/domain/format.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { agentName } from "../../features/monitor/agent.ts";
import { dayEnd, dayStart } from "../../features/monitor/days.ts";
import { MONITOR_TEXTS } from "../../features/monitor/texts.ts";
import { useSystemName } from "../../features/monitor/useSystemName.ts";
import { useTexts } from "../../i18n/texts.ts";

export default function SignInPage() {
  const text = useTexts(MONITOR_TEXTS);
  const systemName = useSystemName();
  return (
    <ListPage
      call="signIns.list"
      title={text("signInTitle")}
      total={(count) => text("signInTotal", { count })}
      search={text("search")}
      failed={text("signInFailed")}
      empty={text("signInEmpty")}
      filterBar={[
        {
          key: "success",
          label: text("result"),
          options: [
            { value: "true", label: text("success") },
            { value: "false", label: text("failure") },
          ],
        },
        { key: "from", label: text("from"), input: "date", send: dayStart },
        { key: "to", label: text("to"), input: "date", send: dayEnd },
      ]}
      columns={[
        {
          title: text("time"),
          sort: "createTime",
          render: ({ createTime }) => formatDate(Date.parse(createTime)),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
        { title: text("name"), sort: "name", verbatim: true, render: ({ name }) => name },
        {
          title: text("username"),
          sort: "username",
          verbatim: true,
          render: ({ username }) => username,
        },
        {
          title: text("result"),
          sort: "success",
          render: ({ success }) => (
            <DictTag
              label={text(success ? "success" : "failure")}
              listClass={success ? "success" : "danger"}
            />
          ),
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
      ]}
    />
  );
}
