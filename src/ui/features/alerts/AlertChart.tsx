/** The rule's figure around an alert, with the limit as a line and the time of the alert shaded. */
import { useMemo, useState } from "react";
import type { AlertRule } from "../../../shared/domain/alert-rules.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import type { TimeMark, TimeSeries } from "../../components/charts/contracts.ts";
import { TimeChart } from "../../components/charts/TimeChart.tsx";
import { TimeCharts } from "../../components/charts/TimeCharts.tsx";
import type { TimeRange } from "../../components/charts/time-range.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useServerNow } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { stepsOf } from "../fleet/chart-data.ts";
import type { Scope } from "../fleet/fleet-view.ts";
import { alertMetricWord } from "../../../shared/domain/alert-texts.ts";
import {
  type Asked,
  askedFor,
  chartMetric,
  chartRange,
  chartUnit,
  dividedBy,
  type Found,
  measuredAt,
  namedMetric,
  type Source,
  sourceOf,
  usualMeasure,
} from "./alert-series.ts";
import { quantityWords } from "./condition-words.ts";
import { DETAIL_TEXTS } from "./texts.ts";
import { useAlertWords } from "./words.ts";

/** ms between two readings while the alert is open. */
const EVERY = 15_000;
const STEP = 10;

/** @returns null until it is known */
function useFound(source: Source | null, asked: Asked) {
  const series = source !== null && "metric" in source ? source : null;
  const part = source !== null && "of" in source ? source : null;
  const one = useRead(
    series === null ? null : { call: "fleet.series", query: { metric: series.metric, ...asked } },
    true,
  );
  const all = useRead(
    part === null ? null : { call: "fleet.parts", query: { of: part.of, ...asked } },
    true,
  );
  const { answer, again } = part === null ? one : all;
  let found: Found | null = null;
  if (part === null && one.answer.state === "ready") found = one.answer.data;
  if (part !== null && all.answer.state === "ready") {
    const { kind, seconds, parts } = all.answer.data;
    const points = parts.find(({ name }) => name === part.part)?.points ?? [];
    found = { kind, seconds, points };
  }
  return { found, answer, again };
}

export function AlertChart(props: {
  readonly alert: Alert;
  /** The rule as it is now, or as it was shipped; null when it is not known. */
  readonly rule: Pick<AlertRule, "measure" | "per" | "window" | "kind"> | null;
  readonly scope: Scope;
}) {
  const { alert, rule, scope } = props;
  const text = useTexts(DETAIL_TEXTS);
  const { language } = useAlertWords();
  const [zoom, setZoom] = useState<TimeRange | null>(null);
  const ticking = Math.ceil(useServerNow(EVERY) / EVERY) * EVERY;
  const { full, alert: lasted } = chartRange(alert, ticking);
  const { from, to } = full;
  const asked = askedFor(alert, scope, full);
  const absent = alert.kind === "absence";
  const per = absent ? null : (rule?.per ?? null);
  const main = useFound(sourceOf(alert), asked);
  const whole = useFound(per === null ? null : { metric: per }, asked);
  const metric = chartMetric(alert);
  const measured = absent || rule === null ? usualMeasure(metric) : rule;
  const { unit, times } = chartUnit(metric, per);
  const seconds = main.found?.seconds ?? STEP;
  const x = useMemo(() => stepsOf({ from, to }, seconds), [from, to, seconds]);
  const said = text("window");
  const marks = useMemo(
    (): TimeMark[] => [
      {
        from: lasted.from,
        to: lasted.to,
        words: said,
        tone: alert.level === "critical" ? "bad" : alert.level === "warning" ? "warn" : "info",
      },
    ],
    [lasted.from, lasted.to, alert.level, said],
  );
  const values = main.found === null ? null : measuredAt(x, main.found, measured);
  const wholes =
    whole.found === null
      ? null
      : measuredAt(x, whole.found, { measure: "mean", window: measured.window });
  const limit = alert.limit * times;
  const named = namedMetric(alert);
  const known = values?.some((value) => value !== null) === true;
  const series: TimeSeries[] = [
    {
      name: absent
        ? alertMetricWord(metric, language)
        : quantityWords({ metric: named, measure: measured.measure, per }, language),
      unit,
      colour: "blue",
      y:
        values === null || (per !== null && wholes === null)
          ? x.map(() => null)
          : dividedBy(values, wholes, times),
      ...(absent ? {} : { atLeast: limit * 1.25 }),
    },
    ...(absent
      ? []
      : [
          {
            name: text("limit"),
            unit,
            colour: "red",
            // without a measured line, the line of the limit would look like one
            y: x.map(() => (known ? limit : null)),
          } as const,
        ]),
  ];
  if (main.answer.state === "failed") {
    return (
      <ReadNote
        className="alert-note"
        answer={main.answer}
        failed={text("chartFailed")}
        onRetry={main.again}
      />
    );
  }
  return (
    <TimeCharts full={full} range={zoom} onRange={setZoom}>
      <TimeChart
        title={alertMetricWord(named, language)}
        x={x}
        series={series}
        marks={marks}
        loading={main.found === null}
      />
    </TimeCharts>
  );
}
