/** The charts of the fleet over one time, and the tables of what happened in it. */
import { type ReactNode, useMemo } from "react";
import { Link } from "react-router-dom";
import { TimeChart } from "../../components/charts/TimeChart.tsx";
import { TimeCharts } from "../../components/charts/TimeCharts.tsx";
import type { TimeRange } from "../../components/charts/time-range.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useServerNow } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { partsIn, timesOf } from "./chart-data.ts";
import { CommandsTable, ErrorsTable, LostTable } from "./FleetTables.tsx";
import { FLEET_ASKED, fleetCharts } from "./fleet-charts.ts";
import { coresAddress, type FleetView, TIMES, windowOf } from "./fleet-view.ts";
import { FLEET_TEXTS } from "./texts.ts";
import { useFleetWords } from "./words.ts";

/** The list of cores of now to which a chart leads: its words, and what those cores have. */
const SEEN = {
  commands: ["slowNow", "slow"],
  restarts: ["restartedNow", "restarted"],
  lost: ["lostNow", "lost"],
  errors: ["erringNow", "errors"],
} as const;

export function FleetCharts(props: {
  readonly view: FleetView;
  readonly onZoom: (zoom: TimeRange | null) => void;
  /** The choice of the time. */
  readonly choice: ReactNode;
}) {
  const text = useTexts(FLEET_TEXTS);
  const words = useFleetWords();
  const language = currentLanguage();
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
    { call: "fleet.charts", query: { ...FLEET_ASKED, ...asked } },
    true,
  );
  const found = answer.state === "ready" ? answer.data : null;
  const x = useMemo(() => timesOf(found), [found]);
  // Drawn again only for new numbers or words.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the words depend on the language alone
  const charts = useMemo(() => fleetCharts(found, { text, ...words }), [found, language]);
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
            {charts.map(({ key, title, series }) => {
              const seen = Object.hasOwn(SEEN, key) ? SEEN[key as keyof typeof SEEN] : null;
              return (
                <div key={key} data-chart={key}>
                  <TimeChart
                    title={text(title as "sizeChart")}
                    x={x}
                    series={series}
                    beside={
                      seen !== null && (
                        <Link className="fleet-see" to={coresAddress(scope, { having: seen[1] })}>
                          {text(seen[0])}
                        </Link>
                      )
                    }
                    loading={found === null}
                  />
                </div>
              );
            })}
          </div>
        </TimeCharts>
      </section>
      <div className="fleet-thirds">
        <ErrorsTable parts={partsIn(found, "errors")} scope={scope} />
        <LostTable parts={partsIn(found, "lost")} scope={scope} />
        <CommandsTable parts={partsIn(found, "commands")} />
      </div>
    </>
  );
}
