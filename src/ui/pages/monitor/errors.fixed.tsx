/** What went wrong in the consoles of the company's people (docs/session.md#error-log), with the stack in a drawer. */
import { formatDate } from "../../../shared/domain/format.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { agentName } from "../../features/monitor/agent.ts";
import { dayEnd, dayStart } from "../../features/monitor/days.ts";
import { ErrorStack } from "../../features/monitor/ErrorStack.tsx";
import { MONITOR_TEXTS } from "../../features/monitor/texts.ts";
import { useTexts } from "../../i18n/texts.ts";

export default function ErrorLogPage() {
  const text = useTexts(MONITOR_TEXTS);
  const source = (origin: "page" | "core"): string => text(origin === "page" ? "ofPage" : "ofCore");
  return (
    <ListPage
      call="errors.list"
      title={text("errorTitle")}
      total={(count) => text("errorTotal", { count })}
      search={text("errorSearch")}
      failed={text("errorFailed")}
      empty={text("errorEmpty")}
      filterBar={[
        {
          key: "source",
          label: text("source"),
          options: (["page", "core"] as const).map((value) => ({ value, label: source(value) })),
        },
        { key: "from", label: text("from"), input: "date", send: dayStart },
        { key: "to", label: text("to"), input: "date", send: dayEnd },
      ]}
      nameOf={({ message }) => message}
      columns={[
        {
          title: text("time"),
          sort: "createTime",
          render: ({ createTime }) => formatDate(Date.parse(createTime)),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
        {
          title: text("errorMessage"),
          sort: "message",
          render: ({ message }) => message,
          className: "ellipsis",
          width: "minmax(240px, 3fr)",
        },
        {
          title: text("times"),
          sort: "count",
          render: ({ count }) => String(count),
          className: "tnum ellipsis",
        },
        { title: text("source"), sort: "source", render: (row) => source(row.source) },
        {
          title: text("path"),
          sort: "path",
          render: ({ path }) => path,
          verbatim: true,
          className: "ellipsis",
          width: "minmax(140px, 1fr)",
        },
        {
          title: text("user"),
          sort: "actorName",
          render: ({ actorName }) => (actorName === "" ? text("gone") : actorName),
          verbatim: true,
        },
        {
          key: "device",
          title: text("device"),
          render: ({ userAgent }) => (userAgent === "" ? null : agentName(userAgent)),
          width: "minmax(160px, 1fr)",
        },
        {
          title: text("build"),
          sort: "build",
          render: ({ build }) => build,
          verbatim: true,
          className: "tnum ellipsis",
        },
      ]}
      renderDetails={({ stack }) => <ErrorStack stack={stack} />}
    />
  );
}
