/** The silences of the company, those in force first. */
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "../../../shared/domain/format.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { StateDot } from "../../components/StateDot.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useCore } from "../../state/services.ts";
import { showError, showMessage } from "../../state/show-message.ts";
import { SilenceDialog } from "./SilenceDialog.tsx";
import { SILENCE_TEXTS } from "./texts.ts";
import { useRules } from "./useRules.ts";
import { useAlertWords } from "./words.ts";

type Silence = Row<"alertSilences.list">;

/** @param props.views the choice between this list and the rules */
export function Silences({ views }: { readonly views: ReactNode }) {
  const { t } = useTranslation();
  const text = useTexts(SILENCE_TEXTS);
  const { rules, byId } = useRules();
  const words = useAlertWords(byId);
  const { rest } = useCore().commands;
  const [creates, setCreates] = useState(false);
  const ruleOf = ({ rule, ruleName }: Silence): string =>
    rule === null ? text("allRules") : words.title({ rule, ruleName });
  const nameOf = (silence: Silence): string =>
    [ruleOf(silence), words.named(silence.subject)].filter(Boolean).join(" · ");
  const end = (silence: Silence): void =>
    ask({
      title: text("end"),
      content: text("endAsk", { name: nameOf(silence) }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "alertSilences.end", params: { id: silence.id } })
          .then(() => showMessage("success", text("endDone")), showError),
    });
  return (
    <>
      <ListPage
        call="alertSilences.list"
        title={text("title")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        empty={text("empty")}
        summary={views}
        create={{ call: "alertSilences.create", onClick: () => setCreates(true) }}
        nameOf={nameOf}
        columns={[
          {
            key: "state",
            title: text("state"),
            render: ({ active }) => (
              <StateDot tone={active ? "good" : "off"}>{text(active ? "active" : "over")}</StateDot>
            ),
            cell: ({ active }) => text(active ? "active" : "over"),
            width: "minmax(104px, 0.5fr)",
          },
          {
            key: "rule",
            title: text("rule"),
            render: ruleOf,
            width: "minmax(160px, 1fr)",
          },
          {
            key: "subject",
            title: text("subject"),
            verbatim: true,
            render: ({ subject }) => (subject === "" ? text("allSubjects") : words.named(subject)),
            width: "minmax(120px, 0.8fr)",
          },
          {
            key: "until",
            title: text("untilColumn"),
            render: ({ until }) => formatDate(Date.parse(until), "{y}-{m}-{d} {h}:{i}"),
            className: "tnum ellipsis",
            width: "minmax(148px, 0.7fr)",
          },
          {
            key: "reason",
            title: text("reason"),
            render: ({ reason }) => reason,
            width: "minmax(160px, 1.4fr)",
          },
          {
            key: "by",
            title: text("by"),
            verbatim: true,
            render: ({ createBy }) => createBy || null,
            width: "minmax(96px, 0.5fr)",
          },
          {
            key: "began",
            title: text("began"),
            render: ({ startTime }) => formatDate(Date.parse(startTime), "{y}-{m}-{d} {h}:{i}"),
            className: "tnum ellipsis",
            width: "minmax(148px, 0.7fr)",
          },
        ]}
        rowActions={[
          {
            label: text("end"),
            call: "alertSilences.end",
            when: ({ active }) => active,
            onClick: end,
          },
        ]}
      />
      {creates && (
        <SilenceDialog
          alert={null}
          rules={rules.map(({ id, name }) => ({
            id,
            title: words.title({ rule: id, ruleName: name }),
          }))}
          onClose={() => setCreates(false)}
        />
      )}
    </>
  );
}
