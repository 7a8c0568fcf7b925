/** 服务器 (docs/session.md#servers): the server's own figures over one time, which the address keeps, a page for each part of it. */
import { type ReactNode, useMemo } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { TimeChart } from "../../components/charts/TimeChart.tsx";
import { TimeCharts } from "../../components/charts/TimeCharts.tsx";
import { addressNow } from "../../components/list/address.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useServerNow } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { stepsOf, valuesAt } from "../fleet/chart-data.ts";
import { Choice } from "../fleet/Choice.tsx";
import { DurationsTable } from "../fleet/PartsTable.tsx";
import {
  type FleetView,
  readView,
  TIME_NAMES,
  TIMES,
  viewAddress,
  windowOf,
} from "../fleet/fleet-view.ts";
import { FLEET_TEXTS } from "../fleet/texts.ts";
import { type ChartSpec, type SeriesSpec, SERVER_PAGES, SERVER_TEXTS } from "./server-pages.ts";
import "../../components/table.css";
import "../fleet/fleet.css";

/** s of a step, while nothing is known. */
const STEP = 60;
const ROUTES = 30;
const NO_POINTS: readonly { readonly time: string }[] = [];

interface Asked {
  readonly scope: "all";
  readonly from: string;
  readonly to: string;
}

/** @returns the query of the address with another page or view */
function address(page: string, view: FleetView): string {
  const params = new URLSearchParams(viewAddress({ ...view, scope: "company" }));
  if (page !== SERVER_PAGES[0]?.key) params.set("page", page);
  return params.size === 0 ? "" : `?${params.toString()}`;
}
const pageIn = (search: string): string => {
  const wanted = new URLSearchParams(search).get("page");
  return (SERVER_PAGES.find(({ key }) => key === wanted) ?? SERVER_PAGES[0])?.key ?? "";
};

export function Servers() {
  const text = useTexts(SERVER_TEXTS);
  const words = useTexts(FLEET_TEXTS);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const view = readView(search);
  const page = SERVER_PAGES.find(({ key }) => key === pageIn(search));
  const now = useServerNow(TIMES[view.time].every);
  const { full, bounds } = windowOf(view.time, now);
  const { from, to } = view.zoom ?? full;
  const asked: Asked = {
    scope: "all",
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
  const { answer, again } = useRead(
    { call: "fleet.series", query: { metric: "server.memory", ...asked } },
    true,
  );
  const points = answer.state === "ready" ? answer.data.points : NO_POINTS;
  const running = useMemo(() => new Set(points.map(({ time }) => Date.parse(time))), [points]);
  const change = (part: Partial<FleetView>, other: string | null = null): void => {
    const there = addressNow().search;
    const next = { ...readView(there), ...part };
    void navigate({ pathname, search: address(other ?? pageIn(there), next) }, { replace: true });
  };
  return (
    <div className="fleet">
      <header className="fleet-head">
        <div>
          <h1>{text("title")}</h1>
          <p>{text("subtitle")}</p>
        </div>
        <Choice
          label={text("page")}
          options={SERVER_PAGES.map(({ key }) => [key, text(key)])}
          value={page?.key ?? "processes"}
          onChange={(key) => change({}, key)}
        />
      </header>
      <section className="panel fleet-panel fleet-charts" aria-label={words("time")}>
        <Choice
          label={words("time")}
          options={TIME_NAMES.map((value) => [value, words(value)])}
          value={view.time}
          onChange={(time) => change({ time, zoom: null })}
        />
        {answer.state === "ready" ? null : (
          <ReadNote
            className="fleet-note"
            answer={answer}
            failed={text("failed")}
            onRetry={again}
          />
        )}
        <TimeCharts
          full={full}
          range={view.zoom}
          bounds={bounds}
          onRange={(zoom) => change({ zoom })}
        >
          <div className="fleet-grid">
            {page?.charts.map((chart) => (
              <div key={`${page.key} ${chart.title}`} data-chart={chart.title}>
                <ServerChart chart={chart} from={from} to={to} asked={asked} running={running} />
              </div>
            ))}
          </div>
        </TimeCharts>
      </section>
      {page?.parts !== undefined && <Routes asked={asked} />}
    </div>
  );
}

const useSteps = (from: number, to: number, seconds: number): number[] =>
  useMemo(() => stepsOf({ from, to }, seconds), [from, to, seconds]);

function ServerChart(props: {
  readonly chart: ChartSpec;
  readonly from: number;
  readonly to: number;
  readonly asked: Asked;
  /** Begins of the steps in which a server measured itself, ms since the epoch. */
  readonly running: ReadonlySet<number>;
}) {
  const { chart, from, to, asked, running } = props;
  const text = useTexts(SERVER_TEXTS);
  const metrics = [...new Set(chart.series.map(({ metric }) => metric))];
  const query = (at: number) => {
    const metric = metrics[at];
    return metric === undefined
      ? null
      : ({ call: "fleet.series", query: { metric, ...asked } } as const);
  };
  const reads = [
    useRead(query(0), true).answer,
    useRead(query(1), true).answer,
    useRead(query(2), true).answer,
  ];
  const found = reads.map((answer) => (answer.state === "ready" ? answer.data : null));
  const seconds = found[0]?.seconds ?? STEP;
  const x = useSteps(from, to, seconds);
  const numbers = ({ metric, read, times = 1 }: SeriesSpec): (number | null)[] => {
    const data = found[metrics.indexOf(metric)] ?? null;
    return valuesAt(
      x,
      data?.points ?? [],
      (point) => {
        if (read === "p50" || read === "p99") return point[read];
        return (point.value * times) / (read === "rate" ? seconds : 1);
      },
      // A counter that did not grow has no point.
      (at) => (data?.kind === "counter" && running.has(at) ? 0 : null),
    );
  };
  return (
    <TimeChart
      title={text(chart.title)}
      x={x}
      series={chart.series.map((one) => ({
        name: text(one.words),
        unit: one.unit ?? "",
        colour: one.colour,
        y: numbers(one),
      }))}
      loading={found[0] === null}
    />
  );
}

function Routes({ asked }: { readonly asked: Asked }): ReactNode {
  const text = useTexts(SERVER_TEXTS);
  const { answer } = useRead({ call: "fleet.parts", query: { of: "routes", ...asked } }, true);
  const parts = answer.state === "ready" ? answer.data.parts : null;
  return (
    <DurationsTable
      title={text("routes")}
      empty={text("none")}
      heads={[text("route"), text("count"), text("half"), text("most")]}
      parts={parts}
      most={ROUTES}
    />
  );
}
