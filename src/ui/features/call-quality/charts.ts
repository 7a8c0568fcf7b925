/** How the numbers of one side of a call become charts, and its events words. Pure. */
import type { FoundCause } from "../../../shared/domain/call-causes.ts";
import { CALL_CHARTS } from "../../../shared/domain/call-lines.ts";
import type { ViewedSide } from "../../../shared/protocol/call-view.ts";
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import type { TimeSeries } from "../../components/charts/contracts.ts";
import type { CALL_QUALITY_TEXTS } from "./texts.ts";

export type Word = keyof typeof CALL_QUALITY_TEXTS;

export interface CallChart {
  readonly title: Word;
  readonly series: readonly TimeSeries[];
}

/** The looks of the lines are those of the table. */
export function chartsOf(
  { charts }: Pick<ViewedSide, "charts">,
  text: (word: Word) => string,
): readonly CallChart[] {
  return charts.map(({ title, lines }) => {
    const known = CALL_CHARTS.find((chart) => chart.title === title)?.lines ?? [];
    return {
      title,
      series: lines.flatMap(({ name, y }): TimeSeries[] => {
        const line = known.find((one) => one.name === name);
        if (line === undefined) return [];
        const { colour, unit, shape, scale } = line;
        return [
          {
            name: text(name),
            colour,
            unit,
            y,
            ...(shape === undefined ? {} : { shape }),
            ...(scale === undefined ? {} : { scale }),
          },
        ];
      }),
    };
  });
}

/** Events that stand as moments in the charts. */
export const EVENT_WORDS: Readonly<Partial<Record<number, Word>>> = {
  [QUALITY_EVENT.enter]: "enter",
  [QUALITY_EVENT.connected]: "connected",
  [QUALITY_EVENT.poor]: "poor",
  [QUALITY_EVENT.disconnected]: "disconnected",
  [QUALITY_EVENT.takeover]: "takeover",
  [QUALITY_EVENT.serverRestarted]: "server",
  [QUALITY_EVENT.moved]: "moved",
};

/** A cause is a side's own when its sending or machine suffers, and concerns what it receives otherwise. */
export const toneOf = (
  { from }: FoundCause,
  { memName }: Pick<ViewedSide, "memName">,
): "bad" | "warn" => (from === null || from === memName ? "bad" : "warn");
