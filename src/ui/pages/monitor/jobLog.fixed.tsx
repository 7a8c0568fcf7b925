/** 任务日志 (docs/server.md#tasks): each run of the platform's tasks. */
import { formatDate } from "../../../shared/domain/format.ts";
import { TASK_IDS } from "../../../shared/protocol/rest/tasks.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { TASK_NAMES, TASK_TEXTS } from "../../features/monitor/task-texts.ts";
import { useTexts } from "../../i18n/texts.ts";

export default function TaskLogPage() {
  const text = useTexts(TASK_TEXTS);
  const nameOf = useTexts(TASK_NAMES);
  return (
    <ListPage
      call="tasks.runs"
      title={text("logTitle")}
      total={(count) => text("logTotal", { count })}
      failed={text("logFailed")}
      empty={text("logEmpty")}
      exports={{ name: text("logTitle") }}
      filterBar={[
        {
          key: "task",
          label: text("name"),
          options: TASK_IDS.map((value) => ({ value, label: nameOf(value) })),
        },
        {
          key: "success",
          label: text("result"),
          options: [
            { value: "true", label: text("success") },
            { value: "false", label: text("failure") },
          ],
        },
      ]}
      columns={[
        {
          key: "started",
          title: text("started"),
          render: ({ startTime }) => formatDate(Date.parse(startTime)),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
        {
          key: "name",
          title: text("name"),
          render: ({ task }) => nameOf(task),
          width: "minmax(160px, 1.4fr)",
        },
        {
          key: "result",
          title: text("result"),
          render: ({ success }) => (
            <DictTag
              label={text(success ? "success" : "failure")}
              listClass={success ? "success" : "danger"}
            />
          ),
          cell: ({ success }) => text(success ? "success" : "failure"),
          width: "minmax(96px, 0.6fr)",
        },
        {
          key: "took",
          title: text("took"),
          render: ({ took }) => text("ms", { count: took }),
          className: "tnum ellipsis",
          width: "minmax(96px, 0.6fr)",
        },
        {
          key: "removed",
          title: text("removed"),
          render: ({ removed }) => removed?.toString() ?? null,
          className: "tnum ellipsis",
          width: "minmax(96px, 0.6fr)",
        },
        {
          key: "by",
          title: text("by"),
          render: ({ actorName }) => (actorName === "" ? text("automatic") : actorName),
          verbatim: true,
        },
        {
          key: "error",
          title: text("error"),
          render: ({ error }) => (error === "" ? null : error),
          className: "ellipsis",
          width: "minmax(160px, 2fr)",
        },
      ]}
    />
  );
}
