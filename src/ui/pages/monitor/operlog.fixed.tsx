/** What the company's people changed (docs/server.md#operation-log), with the changes in words, in a line and in a drawer. */
import { formatDate } from "../../../shared/domain/format.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { auditSummary } from "../../features/monitor/audit-words.ts";
import { AuditChanges } from "../../features/monitor/AuditChanges.tsx";
import { dayEnd, dayStart } from "../../features/monitor/days.ts";
import { ACTION_TEXTS, ENTITY_TEXTS, MONITOR_TEXTS } from "../../features/monitor/texts.ts";
import { useAuditNames } from "../../features/monitor/useAuditNames.ts";
import { useAuditWords } from "../../features/monitor/useAuditWords.ts";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";

export default function OperLogPage() {
  const text = useTexts(MONITOR_TEXTS);
  const names = useAuditNames();
  const words = useAuditWords();
  return (
    <ListPage
      call="audit.list"
      title={text("operTitle")}
      total={(count) => text("operTotal", { count })}
      search={text("operSearch")}
      failed={text("operFailed")}
      empty={text("operEmpty")}
      filterBar={[
        {
          key: "entity",
          label: text("entity"),
          options: Object.keys(ENTITY_TEXTS).map((value) => ({
            value,
            label: names.entity(value),
          })),
        },
        {
          key: "action",
          label: text("action"),
          options: Object.keys(ACTION_TEXTS).map((value) => ({
            value,
            label: names.action(value),
          })),
        },
        { key: "from", label: text("from"), input: "date", send: dayStart },
        { key: "to", label: text("to"), input: "date", send: dayEnd },
      ]}
      nameOf={names.record}
      columns={[
        {
          title: text("time"),
          sort: "createTime",
          render: ({ createTime }) => formatDate(Date.parse(createTime)),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
        { title: text("person"), sort: "actorName", verbatim: true, render: names.person },
        { title: text("action"), sort: "action", render: ({ action }) => names.action(action) },
        { title: text("entity"), sort: "entity", render: ({ entity }) => names.entity(entity) },
        {
          key: "entityName",
          title: text("entityName"),
          render: (record) => names.record(record),
          verbatim: true,
          className: "ellipsis",
        },
        {
          key: "changes",
          title: text("changes"),
          render: (record) => auditSummary(words(record), currentLanguage()) || null,
          className: "ellipsis",
          width: "minmax(200px, 2fr)",
        },
      ]}
      renderDetails={(record) => <AuditChanges record={record} changes={words(record)} />}
    />
  );
}
