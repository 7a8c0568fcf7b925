/** The charts of the fleet over one time, and the tables of what happened in it. */
import { type ReactNode, useMemo } from "react";
import { Link } from "react-router-dom";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import {
  CHART_COLOURS,
  type ChartColour,
  type TimeSeries,
} from "../../components/charts/contracts.ts";
import { TimeChart } from "../../components/charts/TimeChart.tsx";
import { TimeCharts } from "../../components/charts/TimeCharts.tsx";
import type { TimeRange } from "../../components/charts/time-range.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useServerNow } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { stepsOf, valuesAt } from "./chart-data.ts";
import { CommandsTable, ErrorsTable, LostTable } from "./FleetTables.tsx";
import { coresAddress, type FleetView, TIMES, windowOf } from "./fleet-view.ts";
import { FLEET_TEXTS } from "./texts.ts";
import { useFleetWords } from "./words.ts";

type Series = PageCallData<"fleet.series">;
type Parts = PageCallData<"fleet.parts">;

const COLOURS = Object.keys(CHART_COLOURS) as ChartColour[];
/** s of a step, while nothing is known. */
const STEP = 60;

interface Asked {
  readonly scope: FleetView["scope"];
  readonly from: string;
  readonly to: string;
}

/** Both answer null until they know. */
function useSeries(metric: string, asked: Asked): Series | null {
  const { answer } = useRead({ call: "fleet.series", query: { metric, ...asked } }, true);
  return answer.state === "ready" ? answer.data : null;
}
function useParts(of: "lost" | "opened" | "errors" | "commands", asked: Asked): Parts | null {
  const { answer } = useRead({ call: "fleet.parts", query: { of, ...asked } }, true);
  return answer.state === "ready" ? answer.data : null;
}

export function FleetCharts(props: {
  readonly view: FleetView;
  readonly onZoom: (zoom: TimeRange | null) => void;
  /** The choice of the time. */
  readonly choice: ReactNode;
}) {
  const text = useTexts(FLEET_TEXTS);
  const words = useFleetWords();
  const { time, zoom, scope } = props.view;
  const now = useServerNow(TIMES[time].every);
  const { full, bounds } = windowOf(time, now);
  const { from, to } = zoom ?? full;
  const asked = {
    scope,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
  const { answer, again } = useRead(
    { call: "fleet.series", query: { metric: "cores", ...asked } },
    true,
  );
  const cores = answer.state === "ready" ? answer.data : null;
  const tabs = useSeries("tabs", asked);
  const visible = useSeries("visible", asked);
  const commands = useSeries("commands", asked);
  const tasks = useSeries("long-tasks", asked);
  const restarts = useSeries("restarts", asked);
  const takeovers = useSeries("takeovers", asked);
  const lost = useParts("lost", asked);
  const opened = useParts("opened", asked);
  const errors = useParts("errors", asked);
  const slowest = useParts("commands", asked);

  const seconds = cores?.seconds ?? STEP;
  const x = useMemo(() => stepsOf({ from, to }, seconds), [from, to, seconds]);
  const reported = useMemo(
    () => new Set(cores?.points.map((point) => Date.parse(point.time))),
    [cores],
  );
  /** A step without a figure counts as 0 where cores reported, and is left out elsewhere. */
  const counted = (
    name: string,
    colour: ChartColour,
    found: Pick<Series, "points"> | null,
  ): TimeSeries => ({
    name,
    unit: "",
    colour,
    atLeast: 4,
    y: valuesAt(
      x,
      found?.points ?? [],
      ({ value }) => value,
      (at) => (reported.has(at) ? 0 : null),
    ),
  });
  const level = (name: string, colour: ChartColour, found: Series | null): TimeSeries => ({
    name,
    unit: "",
    colour,
    atLeast: 4,
    y: valuesAt(
      x,
      found?.points ?? [],
      ({ value }) => value,
      () => null,
    ),
  });
  const latencies = (found: Series | null, atLeast: number): TimeSeries[] =>
    (
      [
        ["p50", "blue"],
        ["p99", "amber"],
      ] as const
    ).map(([key, colour]) => ({
      name: text(key),
      unit: " ms",
      colour,
      atLeast,
      y: valuesAt(
        x,
        found?.points ?? [],
        (point) => point[key],
        () => null,
      ),
    }));
  const parts = (found: Parts | null, wordsOf: (name: string) => string): TimeSeries[] =>
    (found?.parts ?? [])
      .filter(({ points }) => points.length > 0)
      .map((part, i) => counted(wordsOf(part.name), COLOURS[i % COLOURS.length] ?? "blue", part));
  const seeing = (words: string, having: string): ReactNode => (
    <Link className="fleet-see" to={coresAddress(scope, { having })}>
      {words}
    </Link>
  );
  const charts: readonly {
    readonly key: string;
    readonly title: string;
    readonly series: readonly TimeSeries[];
    readonly beside?: ReactNode;
  }[] = [
    {
      key: "size",
      title: text("sizeChart"),
      series: [
        level(text("cores"), "blue", cores),
        level(text("tabs"), "green", tabs),
        level(text("visible"), "teal", visible),
      ],
    },
    {
      key: "commands",
      title: text("commandsChart"),
      series: latencies(commands, 50),
      beside: seeing(text("slowNow"), "slow"),
    },
    { key: "tasks", title: text("tasksChart"), series: latencies(tasks, 100) },
    {
      key: "restarts",
      title: text("restartsChart"),
      series: [
        counted(text("restarts"), "red", restarts),
        counted(text("takeovers"), "violet", takeovers),
      ],
      beside: seeing(text("restartedNow"), "restarted"),
    },
    { key: "opened", title: text("openedChart"), series: parts(opened, words.socket) },
    {
      key: "lost",
      title: text("lostChart"),
      series: parts(lost, words.socket),
      beside: seeing(text("lostNow"), "lost"),
    },
    {
      key: "errors",
      title: text("errorsChart"),
      series: parts(errors, words.error),
      beside: seeing(text("erringNow"), "errors"),
    },
  ];
  return (
    <>
      <section className="panel fleet-panel fleet-charts" aria-label={text("time")}>
        {props.choice}
        {answer.state === "failed" && (
          <ReadNote
            className="fleet-note"
            answer={answer}
            failed={text("failed")}
            onRetry={again}
          />
        )}
        <TimeCharts full={full} range={zoom} bounds={bounds} onRange={props.onZoom}>
          <div className="fleet-grid">
            {charts.map(({ key, title, series, beside }) => (
              <div key={key} data-chart={key}>
                <TimeChart
                  title={title}
                  x={x}
                  series={series}
                  beside={beside}
                  loading={cores === null}
                />
              </div>
            ))}
          </div>
        </TimeCharts>
      </section>
      <div className="fleet-thirds">
        <ErrorsTable parts={errors?.parts ?? null} scope={scope} />
        <LostTable parts={lost?.parts ?? null} scope={scope} />
        <CommandsTable parts={slowest?.parts ?? null} />
      </div>
    </>
  );
}
