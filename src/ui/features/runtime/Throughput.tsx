import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFrozenSlice } from "../../state/services.ts";
import type { SeriesSpec } from "./Chart.tsx";
import { columns } from "./series.ts";
import { retrying } from "../../state/retrying.ts";

const Chart = lazy(() => retrying(() => import("./Chart.tsx")));

/** Commands, messages and state updates per second over the last two minutes. */
export function Throughput() {
  const { t } = useTranslation();
  const { perSecond } = useFrozenSlice("worker");
  const data = useMemo(
    () => columns(perSecond, (p) => p.at, [(p) => p.commands, (p) => p.messages, (p) => p.opsOut]),
    [perSecond],
  );
  const specs = useMemo<readonly SeriesSpec[]>(
    () => [
      { label: t("runtime.commandsPerSecond"), colour: "#1890ff", scale: "n", atLeast: 5 },
      { label: t("runtime.messagesPerSecond"), colour: "#12a150", scale: "n", atLeast: 5 },
      { label: t("runtime.opsPerSecond"), colour: "#8f7ee7", scale: "n", atLeast: 5 },
    ],
    [t],
  );
  const last = perSecond.at(-1);
  const values = [last?.commands, last?.messages, last?.opsOut];
  return (
    <>
      <dl className="stream-legend">
        {specs.map((spec, index) => (
          <div key={spec.label}>
            <dt>
              <i style={{ background: spec.colour }} aria-hidden="true" />
              {spec.label}
            </dt>
            <dd className="tnum">{values[index] ?? "–"}</dd>
          </div>
        ))}
      </dl>
      {perSecond.length < 2 ? (
        <p className="runtime-waiting">{t("runtime.noPoints")}</p>
      ) : (
        <Suspense fallback={<div className="chart" />}>
          <Chart label={t("runtime.throughput")} specs={specs} data={data} />
        </Suspense>
      )}
    </>
  );
}
