/** 告警 (docs/session.md#alerts-pages): what is wrong now, and what was wrong before. The address keeps which of them are shown. */
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { formatDate } from "../../../shared/domain/format.ts";
import { ALERT_LEVELS } from "../../../shared/domain/alert-rules.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { formFields } from "../../components/form/kinds.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";
import { AlertDetails, AlertHead } from "../../features/alerts/AlertDetails.tsx";
import { AlertState, Lasted, LevelTag, useStateWords } from "../../features/alerts/parts.tsx";
import { SilenceDialog } from "../../features/alerts/SilenceDialog.tsx";
import { ALERT_TEXTS } from "../../features/alerts/texts.ts";
import { useReach } from "../../features/alerts/useReach.ts";
import { useRules } from "../../features/alerts/useRules.ts";
import { useAlertWords } from "../../features/alerts/words.ts";
import { Choice } from "../../features/fleet/Choice.tsx";
import { dayEnd, dayStart } from "../../features/monitor/days.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore, useNow } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import "../../features/fleet/fleet.css";
import "../../features/alerts/alerts.css";

/** ms between two readings of the list: alerts begin without anybody's call. */
const EVERY = 15_000;
const VIEWS = ["open", "ended", "every"] as const;
type View = (typeof VIEWS)[number];
const SCOPES = ["company", "all"] as const;
const LOADING = { state: "loading", error: null } as const;
const EMPTY = { open: "emptyOpen", ended: "emptyEnded", every: "emptyAll" } as const;

const viewIn = (params: URLSearchParams): View =>
  VIEWS.find((view) => view === params.get("state")) ?? "open";

export default function AlertsPage() {
  const text = useTexts(ALERT_TEXTS);
  const [params, setParams] = useSearchParams();
  const { rest } = useCore().commands;
  const { rules, byId } = useRules();
  const words = useAlertWords(byId);
  const stateWords = useStateWords();
  const reach = useReach();
  const refresh = Math.floor(useNow(EVERY) / EVERY);
  const [acknowledging, setAcknowledging] = useState<Alert | null>(null);
  const [silencing, setSilencing] = useState<Alert | null>(null);
  // A message names an alert by what it knows of it, and the alert may have ended: the list of all of them shows it.
  const linked = params.get("alert");
  useEffect(() => {
    if (linked === null) return undefined;
    let live = true;
    const show = (row: string): void => {
      if (live) setParams({ state: "every", row }, { replace: true });
    };
    rest.call({ call: "alerts.get", params: { id: linked } }).then(
      ({ id }) => show(id),
      () => show(linked),
    );
    return () => {
      live = false;
    };
  }, [linked, rest, setParams]);
  const change = (key: string, value: string | null): void => {
    const now = new URLSearchParams(params);
    // a row and a page belong to the list before
    for (const gone of ["row", "page"]) now.delete(gone);
    if (value === null) now.delete(key);
    else now.set(key, value);
    setParams(now, { replace: true });
  };
  const asked = SCOPES.find((scope) => scope === params.get("scope"));
  if ((asked === undefined && reach === null) || linked !== null) {
    return (
      <div className="panel list-page">
        <header>
          <h1>{text("title")}</h1>
          <span className="list-page-total" />
        </header>
        <ReadNote
          className="list-page-none"
          answer={LOADING}
          failed={text("failed")}
          onRetry={() => undefined}
        />
      </div>
    );
  }
  const view = viewIn(params);
  const scope = asked ?? (reach === true ? "all" : "company");
  const noteFields = formFields([
    { key: "note", label: text("note"), input: "area", max: 500, hint: text("noteHint") },
  ]);
  const acknowledge = (id: string, note: string): Promise<unknown> =>
    rest.call({ call: "alerts.acknowledge", params: { id }, body: { note } });
  return (
    <>
      <ListPage
        call="alerts.list"
        title={text("title")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        empty={text(EMPTY[view])}
        refresh={refresh}
        filters={{ scope, ...(view === "every" ? {} : { state: view }) }}
        exports={{ name: text("title") }}
        filterBar={[
          {
            key: "level",
            label: text("level"),
            options: ALERT_LEVELS.toReversed().map((value) => ({
              value,
              label: words.level(value),
            })),
          },
          {
            key: "rule",
            label: text("rule"),
            options: rules.map(({ id, name }) => ({
              value: id,
              label: words.title({ rule: id, ruleName: name }),
            })),
          },
          { key: "from", label: text("from"), input: "date", send: dayStart },
          { key: "to", label: text("to"), input: "date", send: dayEnd },
        ]}
        summary={
          <div className="alert-views">
            <Choice
              label={text("which")}
              options={VIEWS.map((value) => [value, text(value)])}
              value={view}
              onChange={(value) => change("state", value === "open" ? null : value)}
            />
            {(reach === true || asked === "all") && (
              <Choice
                label={text("scope")}
                options={SCOPES.map((value) => [value, text(value)])}
                value={scope}
                onChange={(value) => change("scope", value === "all" ? null : value)}
              />
            )}
          </div>
        }
        actions={
          <Link className="fleet-see" to="/monitor/alertRules">
            {text("rules")}
          </Link>
        }
        nameOf={(alert) => `${words.title(alert)} ${words.subject(alert.subject)}`}
        columns={[
          {
            key: "level",
            title: text("level"),
            render: ({ level }) => <LevelTag level={level} />,
            cell: ({ level }) => words.level(level),
            width: "minmax(96px, 0.3fr)",
          },
          {
            key: "what",
            title: text("what"),
            render: (alert) => words.title(alert),
            width: "minmax(132px, 1fr)",
          },
          {
            key: "subject",
            title: text("subject"),
            render: ({ subject }) => (
              <span title={words.subject(subject)}>{words.subject(subject)}</span>
            ),
            cell: ({ subject }) => words.subject(subject),
            width: "minmax(148px, 1.2fr)",
          },
          ...(scope === "all"
            ? [
                {
                  key: "companyName",
                  title: text("companyName"),
                  render: ({ companyId, companyName }: Alert) =>
                    companyId === null ? text("platform") : companyName,
                  width: "minmax(116px, 1fr)",
                },
              ]
            : []),
          {
            key: "value",
            title: text("value"),
            render: words.valueAndLimit,
            className: "tnum ellipsis",
            width: "minmax(136px, 0.8fr)",
          },
          {
            key: "state",
            title: text("state"),
            render: (alert) => <AlertState alert={alert} />,
            cell: stateWords,
            width: "minmax(124px, 1fr)",
          },
          {
            key: "lasted",
            title: text("lasted"),
            render: ({ startTime, endTime }) => <Lasted startTime={startTime} endTime={endTime} />,
            cell: ({ startTime, endTime }) =>
              endTime === null
                ? null
                : Math.round((Date.parse(endTime) - Date.parse(startTime)) / 1000),
            className: "tnum ellipsis",
            width: "minmax(108px, 0.5fr)",
          },
          {
            key: "began",
            title: text("began"),
            render: ({ startTime }) => formatDate(Date.parse(startTime), "{m}-{d} {h}:{i}:{s}"),
            cell: ({ startTime }) => new Date(startTime),
            className: "tnum ellipsis",
            width: "minmax(132px, 0.6fr)",
          },
        ]}
        renderHead={(alert) => <AlertHead alert={alert} headline={words.headline(alert)} />}
        renderDetails={(alert) => <AlertDetails alert={alert} />}
        find={(id) => rest.call({ call: "alerts.get", params: { id } })}
        rowActions={[
          {
            label: text("acknowledge"),
            call: "alerts.acknowledge",
            when: ({ endTime }) => endTime === null,
            onClick: setAcknowledging,
          },
          {
            label: text("silence"),
            call: "alertSilences.create",
            when: ({ endTime }) => endTime === null,
            onClick: setSilencing,
          },
        ]}
        bulk={[
          {
            label: text("acknowledge"),
            call: "alerts.acknowledge",
            when: ({ endTime, acknowledged }) => endTime === null && acknowledged === null,
            question: (count) => text("acknowledgeMany", { count }),
            fields: noteFields,
            values: { note: "" },
            run: ({ id }, values) => acknowledge(id, String(values["note"] ?? "")),
          },
        ]}
      />
      {acknowledging !== null && (
        <FormDialog
          title={text("acknowledgeTitle")}
          intro={
            <>
              <p>
                <strong>{words.headline(acknowledging)}</strong>
              </p>
              <p>{text("acknowledgeHint")}</p>
            </>
          }
          okText={text("acknowledge")}
          fields={noteFields}
          values={{ note: acknowledging.acknowledged?.note ?? "" }}
          save={({ note }) => acknowledge(acknowledging.id, note)}
          onClose={() => setAcknowledging(null)}
          onSaved={() => showMessage("success", text("acknowledged"))}
        />
      )}
      {silencing !== null && (
        <SilenceDialog alert={silencing} rules={[]} onClose={() => setSilencing(null)} />
      )}
    </>
  );
}
