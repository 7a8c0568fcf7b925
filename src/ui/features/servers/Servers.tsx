/** 服务器 (docs/session.md#servers): the server's own figures over one time, which the address keeps, a page for each part of it. */
import { useMemo } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { TimeChart } from "../../components/charts/TimeChart.tsx";
import { TimeCharts } from "../../components/charts/TimeCharts.tsx";
import { addressNow } from "../../components/list/address.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useServerNow } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { FleetHead } from "../fleet/FleetHead.tsx";
import { type Charts, partsIn, timesOf } from "../fleet/chart-data.ts";
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

const ROUTES = 30;
/** Says in which steps a server measured itself. */
const RUNNING = "server.memory";

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
  const metrics = useMemo(
    () => [...new Set([RUNNING, ...(page?.charts ?? []).flatMap(metricsOf)])].join(","),
    [page],
  );
  const { answer, again } = useRead(
    {
      call: "fleet.charts",
      query: {
        scope: "all",
        metrics,
        parts: page?.parts ?? "",
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
      },
    },
    true,
  );
  const found = answer.state === "ready" ? answer.data : null;
  const x = useMemo(() => timesOf(found), [found]);
  const change = (part: Partial<FleetView>, other: string | null = null): void => {
    const there = addressNow().search;
    const next = { ...readView(there), ...part };
    void navigate({ pathname, search: address(other ?? pageIn(there), next) }, { replace: true });
  };
  return (
    <div className="fleet">
      <FleetHead title={text("title")} subtitle={text("subtitle")}>
        <Choice
          label={text("page")}
          options={SERVER_PAGES.map(({ key }) => [key, text(key)])}
          value={page?.key ?? "processes"}
          onChange={(key) => change({}, key)}
        />
      </FleetHead>
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
                <ServerChart chart={chart} x={x} found={found} />
              </div>
            ))}
          </div>
        </TimeCharts>
      </section>
      {page?.parts !== undefined && (
        <DurationsTable
          title={text("routes")}
          empty={text("none")}
          heads={[text("route"), text("count"), text("half"), text("most")]}
          parts={partsIn(found, page.parts)}
          most={ROUTES}
        />
      )}
    </div>
  );
}

const metricsOf = ({ series }: ChartSpec): string[] => series.map(({ metric }) => metric);

/** The numbers of a series; a counter that did not grow has none, which is 0 while a server ran. */
function numbersOf(charts: Charts, { metric, read, times = 1 }: SeriesSpec): (number | null)[] {
  const one = charts.series.find((found) => found.metric === metric);
  if (one === undefined) return [];
  if (read === "p50" || read === "p99") return one[read] ?? [];
  const running = charts.series.find((found) => found.metric === RUNNING)?.value ?? [];
  const by = times / (read === "rate" ? charts.seconds : 1);
  return one.value.map((value, at) => {
    if (value !== null) return value * by;
    return one.kind === "counter" && running[at] != null ? 0 : null;
  });
}

function ServerChart(props: {
  readonly chart: ChartSpec;
  readonly x: readonly number[];
  /** Null: it is loaded. */
  readonly found: Charts | null;
}) {
  const { chart, x, found } = props;
  const text = useTexts(SERVER_TEXTS);
  const language = currentLanguage();
  const series = useMemo(
    () =>
      chart.series.map((one) => ({
        name: text(one.words),
        unit: one.unit ?? "",
        colour: one.colour,
        y: found === null ? [] : numbersOf(found, one),
      })),
    // Drawn again only for new numbers or words.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the words depend on the language alone
    [chart, found, language],
  );
  // The answer before may be that of another page.
  const isLoaded = metricsOf(chart).every((metric) =>
    found?.series.some((one) => one.metric === metric),
  );
  return <TimeChart title={text(chart.title)} x={x} series={series} loading={!isLoaded} />;
}
