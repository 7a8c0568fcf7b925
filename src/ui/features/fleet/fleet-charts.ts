/** Which figures the charts of the fleet show, and how they become series (docs/session.md#fleet). Pure. */
import {
  CHART_COLOURS,
  type ChartColour,
  type TimeSeries,
} from "../../components/charts/contracts.ts";
import { type Charts, partsIn } from "./chart-data.ts";
import type { FLEET_TEXTS } from "./texts.ts";

const COLOURS = Object.keys(CHART_COLOURS) as ChartColour[];

type Word = keyof typeof FLEET_TEXTS;
type Column = Charts["series"][number]["value"];

/** What the page asks for in one answer. */
export const FLEET_ASKED = {
  metrics: "cores,tabs,visible,commands,long-tasks,restarts,takeovers",
  parts: "lost,opened,errors,commands",
} as const;

export interface FleetChart {
  readonly key: string;
  readonly title: Word;
  readonly series: readonly TimeSeries[];
}

/** @param charts null: they are loaded; the charts have their lines, without numbers */
export function fleetCharts(
  charts: Charts | null,
  words: {
    readonly text: (word: Word) => string;
    readonly socket: (name: string) => string;
    readonly error: (code: string) => string;
  },
): readonly FleetChart[] {
  const found = (metric: string) => charts?.series.find((one) => one.metric === metric);
  const cores = found("cores")?.value ?? [];
  const level = (metric: "cores" | "tabs" | "visible", colour: ChartColour): TimeSeries => ({
    name: words.text(metric),
    unit: "",
    colour,
    atLeast: 4,
    y: found(metric)?.value ?? [],
  });
  /** What happened in no step happened not at all, where cores reported. */
  const counted = (name: string, colour: ChartColour, column: Column = []): TimeSeries => ({
    name,
    unit: "",
    colour,
    atLeast: 4,
    y: cores.map((there, place) => column[place] ?? (there === null ? null : 0)),
  });
  const latencies = (metric: string, atLeast: number): TimeSeries[] =>
    (
      [
        ["p50", "blue"],
        ["p99", "amber"],
      ] as const
    ).map(([key, colour]) => ({
      name: words.text(key),
      unit: " ms",
      colour,
      atLeast,
      y: found(metric)?.[key] ?? [],
    }));
  const parts = (
    of: Charts["parts"][number]["of"],
    wordsOf: (name: string) => string,
  ): TimeSeries[] =>
    (partsIn(charts, of) ?? [])
      .filter(({ column }) => column.length > 0)
      .map(({ name, column }, i) =>
        counted(wordsOf(name), COLOURS[i % COLOURS.length] ?? "blue", column),
      );
  return [
    {
      key: "size",
      title: "sizeChart",
      series: [level("cores", "blue"), level("tabs", "green"), level("visible", "violet")],
    },
    { key: "commands", title: "commandsChart", series: latencies("commands", 50) },
    { key: "tasks", title: "tasksChart", series: latencies("long-tasks", 100) },
    {
      key: "restarts",
      title: "restartsChart",
      series: [
        counted(words.text("restarts"), "red", found("restarts")?.value),
        counted(words.text("takeovers"), "violet", found("takeovers")?.value),
      ],
    },
    { key: "opened", title: "openedChart", series: parts("opened", words.socket) },
    { key: "lost", title: "lostChart", series: parts("lost", words.socket) },
    { key: "errors", title: "errorsChart", series: parts("errors", words.error) },
  ];
}
