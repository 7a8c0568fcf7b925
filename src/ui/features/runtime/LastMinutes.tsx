/** A chart of the last two minutes, which goes on by itself. */
import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import { TimeChart } from "../../components/charts/TimeChart.tsx";
import { TimeCharts } from "../../components/charts/TimeCharts.tsx";
import type { TimeRange } from "../../components/charts/time-range.ts";

const WINDOW_MS = 120_000;

export function LastMinutes(props: Omit<ComponentProps<typeof TimeChart>, "marks" | "height">) {
  const { t } = useTranslation();
  const [range, setRange] = useState<TimeRange | null>(null);
  const last = props.x.at(-1);
  if (last === undefined || props.x.length < 2) {
    return (
      <>
        <h3>{props.title}</h3>
        <p className="runtime-waiting">{t("runtime.noPoints")}</p>
      </>
    );
  }
  // Always two minutes, so that a quiet stream looks quiet.
  const full = { from: last - WINDOW_MS, to: last };
  return (
    <TimeCharts full={full} range={range} onRange={setRange} bar={false}>
      <TimeChart {...props} />
    </TimeCharts>
  );
}
