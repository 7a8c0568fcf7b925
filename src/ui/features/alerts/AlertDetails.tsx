/** One alert: what is wrong in words, whom it concerns, its chart, what to do, and where it was sent (docs/session.md#alerts-pages). */
import { Link } from "react-router-dom";
import { SHIPPED_RULES } from "../../../shared/domain/alert-rules.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import type { Alert, AlertDelivery } from "../../../shared/protocol/rest/alerts.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { StateDot } from "../../components/StateDot.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { useServerNow, useSlice } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import type { Scope } from "../fleet/fleet-view.ts";
import { AlertChart } from "./AlertChart.tsx";
import { chartRange } from "./alert-series.ts";
import { GuideView, PlaceLinks } from "./GuideView.tsx";
import { LevelTag } from "./parts.tsx";
import { coreFilters, placesOf } from "./places.ts";
import { DETAIL_TEXTS } from "./texts.ts";
import { useAlertWords } from "./words.ts";
import "../../components/table.css";
import "./alerts.css";

/** ms after which a link to the time around an open alert moves on. */
const EVERY = 60_000;

/** Above the facts: the sentence that says what is wrong. */
export function AlertHead(props: { readonly alert: Alert; readonly headline: string }) {
  const { alert, headline } = props;
  const text = useTexts(DETAIL_TEXTS);
  const { acknowledged } = alert;
  return (
    <header className="alert-head" data-level={alert.level}>
      <h2>
        <LevelTag level={alert.level} /> {headline}
      </h2>
      {acknowledged !== null && (
        <p>
          {text("noted", {
            name: acknowledged.name,
            time: formatDate(Date.parse(acknowledged.time), "{m}-{d} {h}:{i}"),
          })}
          {acknowledged.note !== "" && <q>{acknowledged.note}</q>}
        </p>
      )}
      {alert.silenced && <p>{text("wasSilenced")}</p>}
    </header>
  );
}

export function AlertDetails({ alert }: { readonly alert: Alert }) {
  const text = useTexts(DETAIL_TEXTS);
  const words = useAlertWords();
  const may = useMay();
  const { supplierId } = useSlice("session");
  const now = useServerNow(EVERY);
  const { answer, again } = useRead({ call: "alerts.get", params: { id: alert.id } }, true);
  const known = answer.state === "ready" ? answer.data : null;
  const rule = known?.now ?? SHIPPED_RULES.find(({ id }) => id === alert.rule) ?? null;
  const scope: Scope =
    alert.companyId !== null && alert.companyId === supplierId ? "company" : "all";
  const around = { range: chartRange(alert, now).full, scope, filters: coreFilters(alert) };
  return (
    <div className="alert-details">
      {alert.cores.length > 0 && (
        <section aria-label={text("cores")}>
          <h3>{text("cores")}</h3>
          <ul className="alert-cores">
            {alert.cores.map(({ id, name }) => (
              <li key={id}>
                {may("fleet.core") ? (
                  <Link
                    className="alert-place"
                    to={`/monitor/cores?${scope === "all" ? "scope=all&" : ""}row=${encodeURIComponent(id)}`}
                  >
                    {name || id}
                  </Link>
                ) : (
                  name || id
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {may("fleet.series") && (
        <section aria-label={text("chart")}>
          <h3>{text("chart")}</h3>
          <AlertChart key={alert.id} alert={alert} rule={rule} scope={scope} />
        </section>
      )}
      <GuideView rule={alert.rule} around={around} />
      <PlaceLinks title={text("pages")} places={placesOf(alert)} around={around} />
      <section aria-label={text("condition")}>
        <h3>{text("condition")}</h3>
        {known !== null && known.now === null ? (
          <p className="alert-note">{text("ruleGone")}</p>
        ) : (
          rule !== null && <p>{words.condition(rule)}</p>
        )}
      </section>
      <section aria-label={text("sent")}>
        <h3>{text("sent")}</h3>
        {known === null ? (
          <ReadNote
            className="alert-note"
            answer={answer}
            failed={text("failed")}
            onRetry={again}
          />
        ) : (
          <Deliveries deliveries={known.deliveries} />
        )}
      </section>
    </div>
  );
}

function Deliveries({ deliveries }: { readonly deliveries: readonly AlertDelivery[] }) {
  const text = useTexts(DETAIL_TEXTS);
  if (deliveries.length === 0) return <p className="alert-note">{text("notSent")}</p>;
  return (
    <ScrollBox className="table-scroll" tabIndex={0} role="group" aria-label={text("sent")}>
      <table className="table">
        <thead>
          <tr>
            <th>{text("channel")}</th>
            <th>{text("about")}</th>
            <th>{text("time")}</th>
            <th>{text("result")}</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map(({ channelId, channelName, event, time, success, tries, error }) => (
            <tr key={`${channelId} ${event} ${time}`} data-delivery={channelId}>
              <th scope="row" translate="no">
                {channelName}
              </th>
              <td>{text(event === "began" ? "beganEvent" : "endedEvent")}</td>
              <td className="tnum">{formatDate(Date.parse(time), "{m}-{d} {h}:{i}:{s}")}</td>
              <td className="alert-result">
                <StateDot tone={success ? "good" : "bad"}>
                  {text(success ? "arrived" : "notArrived")}
                </StateDot>
                {(tries > 1 || error !== "") && (
                  <small>
                    {[tries > 1 ? text("tries", { count: tries }) : "", error]
                      .filter(Boolean)
                      .join(" · ")}
                  </small>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
