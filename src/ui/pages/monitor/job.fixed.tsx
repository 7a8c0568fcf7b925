/** 定时任务 (docs/server.md#tasks): what the platform runs at intervals, for the people of its company. */
import { useTranslation } from "react-i18next";
import { formatDate } from "../../../shared/domain/format.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { TASK_NAMES, TASK_TEXTS } from "../../features/monitor/task-texts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
type Task = Row<"tasks.list">;

export default function TasksPage() {
  const { t } = useTranslation();
  const text = useTexts(TASK_TEXTS);
  const nameOf = useTexts(TASK_NAMES);
  const { rest } = useCore().commands;
  const question = (title: string, content: string, onOk: () => Promise<unknown>): void =>
    ask({ title, content, okText: t("common.ok"), cancelText: t("common.cancel"), onOk });
  const run = ({ id }: Task): void =>
    question(text("run"), text("runAsk", { name: nameOf(id) }), () =>
      rest.call({ call: "tasks.run", params: { id } }).then(({ removed, error }) => {
        if (removed === null) showMessage("error", text("runFailed", { error }));
        else showMessage("success", text("ran", { count: removed }));
      }, showError),
    );
  const setPaused = (id: Task["id"], paused: boolean): Promise<void> =>
    rest
      .call({ call: "tasks.pause", params: { id }, body: { paused } })
      .then(() => showMessage("success", text(paused ? "pausedDone" : "resumed")), showError);
  const time = (iso: string | null): string | null =>
    iso === null ? null : formatDate(Date.parse(iso));
  return (
    <ListPage
      call="tasks.list"
      title={text("title")}
      total={(count) => text("total", { count })}
      failed={text("failed")}
      empty={text("empty")}
      nameOf={({ id }) => nameOf(id)}
      columns={[
        {
          key: "name",
          title: text("name"),
          render: ({ id }) => nameOf(id),
          width: "minmax(200px, 1.6fr)",
        },
        {
          key: "state",
          title: text("state"),
          render: ({ running, paused }) => (
            <DictTag
              label={text(running ? "running" : paused ? "paused" : "waiting")}
              listClass={running ? "primary" : paused ? "warning" : "success"}
            />
          ),
          cell: ({ running, paused }) => text(running ? "running" : paused ? "paused" : "waiting"),
          width: "minmax(76px, 0.6fr)",
        },
        {
          key: "result",
          title: text("result"),
          render: ({ last }) =>
            last === null ? null : (
              <DictTag
                label={text(last.success ? "success" : "failure")}
                listClass={last.success ? "success" : "danger"}
              />
            ),
          cell: ({ last }) => (last === null ? "" : text(last.success ? "success" : "failure")),
          width: "minmax(88px, 0.6fr)",
        },
        {
          key: "last",
          title: text("last"),
          render: ({ last }) => time(last?.startTime ?? null),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
        {
          key: "next",
          title: text("next"),
          render: ({ nextTime }) => time(nextTime),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
        {
          key: "every",
          title: text("every"),
          render: ({ every }) =>
            every % HOUR_MS === 0
              ? text("hours", { count: every / HOUR_MS })
              : text("minutes", { count: Math.round(every / MINUTE_MS) }),
          width: "minmax(104px, 0.8fr)",
        },
        {
          key: "took",
          title: text("took"),
          render: ({ last }) => (last === null ? null : text("ms", { count: last.took })),
          className: "tnum ellipsis",
          width: "minmax(84px, 0.6fr)",
        },
        {
          key: "removed",
          title: text("removed"),
          render: ({ last }) => last?.removed?.toString() ?? null,
          className: "tnum ellipsis",
          width: "minmax(80px, 0.6fr)",
        },
      ]}
      rowActions={[
        { label: text("run"), call: "tasks.run", when: ({ running }) => !running, onClick: run },
        {
          label: text("pause"),
          call: "tasks.pause",
          danger: true,
          when: ({ paused }) => !paused,
          onClick: ({ id }) =>
            question(text("pause"), text("pauseAsk", { name: nameOf(id) }), () =>
              setPaused(id, true),
            ),
        },
        {
          label: text("resume"),
          call: "tasks.pause",
          when: ({ paused }) => paused,
          onClick: ({ id }) => void setPaused(id, false),
        },
      ]}
    />
  );
}
