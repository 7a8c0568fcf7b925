/** 告警规则 (docs/session.md#alerts-pages): what counts as unusual, and what is silenced. The address keeps which of both is shown. */
import { Switch } from "@arco-design/web-react";
import "@arco-design/web-react/es/Switch/style/css.js";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";
import { alertSettingCalls } from "../../../shared/protocol/rest/alert-settings.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import type { ListDeclaration } from "../../components/list/declared.ts";
import { StateDot } from "../../components/StateDot.tsx";
import { GuideView } from "../../features/alerts/GuideView.tsx";
import { LevelTag } from "../../features/alerts/parts.tsx";
import { changedRule, fromForm, toForm } from "../../features/alerts/rule-form.ts";
import { RULE_TEXTS } from "../../features/alerts/rule-texts.ts";
import { Silences } from "../../features/alerts/Silences.tsx";
import { useReach } from "../../features/alerts/useReach.ts";
import { useRuleFields } from "../../features/alerts/useRuleFields.tsx";
import { useAlertWords } from "../../features/alerts/words.ts";
import { Choice } from "../../features/fleet/Choice.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useMay } from "../../state/may.ts";
import { useCore } from "../../state/services.ts";
import { showError, showMessage } from "../../state/show-message.ts";
import "../../features/fleet/fleet.css";
import "../../features/alerts/alerts.css";

type Rule = Row<"alertRules.list">;
type RuleFields = ReturnType<ReturnType<typeof useRuleFields>>;
/** What the list of rules offers to those who may change them. */
type Editing = Partial<
  Pick<ListDeclaration<"alertRules.list", RuleFields>, "form" | "rowActions" | "remove">
>;

const VIEWS = ["rulesView", "silencesView"] as const;

export default function AlertRulesPage() {
  const text = useTexts(RULE_TEXTS);
  const [params, setParams] = useSearchParams();
  const silences = params.get("view") === "silences";
  const views = (
    <div className="alert-views">
      <Choice
        label={text("views")}
        options={VIEWS.map((value) => [value, text(value)])}
        value={silences ? "silencesView" : "rulesView"}
        onChange={(value) =>
          setParams(value === "silencesView" ? { view: "silences" } : {}, { replace: true })
        }
      />
    </div>
  );
  return silences ? <Silences views={views} /> : <Rules views={views} />;
}

function Rules({ views }: { readonly views: ReactNode }) {
  const { t } = useTranslation();
  const text = useTexts(RULE_TEXTS);
  const words = useAlertWords();
  const may = useMay();
  const { rest } = useCore().commands;
  // the rules are the platform's: another company reads them
  const edits = useReach() === true;
  const fieldsOf = useRuleFields();
  const nameOf = ({ id, name }: Rule): string => words.title({ rule: id, ruleName: name });
  const reset = (rule: Rule): void =>
    ask({
      title: text("reset"),
      content: text("resetAsk", { name: nameOf(rule) }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "alertRules.reset", params: { id: rule.id } })
          .then(() => showMessage("success", text("resetDone")), showError),
    });
  const originOf = ({ shipped, changed }: Rule) =>
    !shipped ? "own" : changed ? "changed" : "shipped";
  const editing: Editing = !edits
    ? {}
    : {
        form: {
          calls: { create: "alertRules.create", edit: "alertRules.update" },
          createTitle: text("create"),
          editTitle: text("edit"),
          fields: fieldsOf,
          record: (rule) => rule,
          read: (record) => toForm(alertSettingCalls.alertRuleReset.data.parse(record)),
          values: (rule) => toForm(rule),
          save: (rule, values, changed, version) =>
            rule === null
              ? rest.call({ call: "alertRules.create", body: fromForm(values, null) })
              : rest.call({
                  call: "alertRules.update",
                  body: { id: rule.id, version, ...changedRule(changed, rule) },
                }),
        },
        rowActions: [
          {
            label: text("reset"),
            call: "alertRules.reset",
            when: ({ shipped, changed }) => shipped && changed,
            onClick: reset,
          },
        ],
        remove: {
          call: "alertRules.delete",
          when: ({ shipped }) => !shipped,
          run: (rows) =>
            Promise.all(
              rows.map(({ id }) => rest.call({ call: "alertRules.delete", params: { id } })),
            ),
        },
      };
  return (
    <ListPage
      call="alertRules.list"
      title={text("title")}
      total={(count) => text("total", { count })}
      search={text("search")}
      failed={text("failed")}
      empty={text("empty")}
      summary={views}
      actions={
        <Link className="fleet-see" to="/monitor/alerts">
          {text("alerts")}
        </Link>
      }
      nameOf={nameOf}
      columns={[
        {
          key: "on",
          title: text("on"),
          render: (rule) =>
            edits && may("alertRules.update") ? (
              <OnSwitch rule={rule} name={nameOf(rule)} />
            ) : (
              <StateDot tone={rule.on ? "good" : "off"}>{text(rule.on ? "on" : "off")}</StateDot>
            ),
          cell: (rule) => text(rule.on ? "on" : "off"),
          width: "minmax(80px, 0.3fr)",
        },
        {
          key: "rule",
          title: text("rule"),
          render: nameOf,
          width: "minmax(148px, 0.9fr)",
        },
        {
          key: "condition",
          title: text("condition"),
          render: (rule) => <span title={words.condition(rule)}>{words.condition(rule)}</span>,
          cell: (rule) => words.condition(rule),
          className: "alert-sentence",
          width: "minmax(280px, 3fr)",
        },
        {
          key: "level",
          title: text("level"),
          render: ({ level }) => <LevelTag level={level} />,
          cell: ({ level }) => words.level(level),
          width: "minmax(96px, 0.4fr)",
        },
        {
          key: "reach",
          title: text("reach"),
          render: ({ reach }) => text(reach),
          width: "minmax(112px, 0.5fr)",
        },
        {
          key: "open",
          title: text("open"),
          render: (rule) =>
            rule.open === 0 ? null : (
              <Link
                className="alert-place tnum"
                to={`/monitor/alerts?rule=${rule.id}`}
                aria-label={text("openOf", { name: nameOf(rule), count: rule.open })}
              >
                {rule.open}
              </Link>
            ),
          cell: ({ open }) => open,
          className: "tnum",
          width: "minmax(80px, 0.3fr)",
        },
        {
          key: "origin",
          title: text("origin"),
          render: (rule) =>
            originOf(rule) === "shipped" ? (
              text("shipped")
            ) : (
              <DictTag label={text(originOf(rule))} listClass="primary" />
            ),
          cell: (rule) => text(originOf(rule)),
          width: "minmax(120px, 0.5fr)",
        },
      ]}
      renderDetails={({ id }) => (
        <div className="alert-details">
          <GuideView
            rule={id}
            around={{ range: null, scope: edits ? "all" : "company", filters: {} }}
          />
        </div>
      )}
      {...editing}
    />
  );
}

function OnSwitch({ rule, name }: { readonly rule: Rule; readonly name: string }) {
  const text = useTexts(RULE_TEXTS);
  const { rest } = useCore().commands;
  const [busy, setBusy] = useState(false);
  const change = (on: boolean): void => {
    setBusy(true);
    rest
      .call({ call: "alertRules.update", body: { id: rule.id, version: rule.version, on } })
      .then(() => showMessage("success", text(on ? "turnedOn" : "turnedOff")), showError)
      .finally(() => setBusy(false));
  };
  return (
    <Switch
      size="small"
      checked={rule.on}
      loading={busy}
      aria-label={text("switchOf", { name })}
      data-call="alertRules.update"
      onChange={change}
    />
  );
}
