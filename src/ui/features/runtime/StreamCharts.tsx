/** One chart per media stream: bitrate, loss, round-trip time, frame rate. The latest values above it are its legend. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { QualitySlice } from "../../../shared/protocol/state.ts";
import { StateDot, type Tone } from "../../components/StateDot.tsx";
import { useFrozenSlice } from "../../state/services.ts";
import type { ChartColour, TimeSeries } from "../../components/charts/contracts.ts";
import { LastMinutes } from "./LastMinutes.tsx";
import { figure } from "./series.ts";

type Stream = QualitySlice["streams"][string];
type View<T> = { readonly [K in keyof T]: T[K] extends (infer E)[] ? readonly View<E>[] : T[K] };

const FIGURES = [
  ["kbps", "blue", " kbit/s", 50],
  ["rtt", "amber", " ms", 50],
  ["loss", "red", "%", 50],
  ["fps", "green", " fps", 50],
] as const satisfies readonly (readonly [string, ChartColour, string, number])[];
const TONES: readonly Tone[] = ["bad", "warn", "good"];

export function StreamCharts() {
  const { t } = useTranslation();
  const { streams } = useFrozenSlice("quality");
  const list = Object.values(streams);
  if (list.length === 0) {
    return (
      <div className="runtime-empty">
        <strong>{t("runtime.noStreams")}</strong>
        <p>{t("runtime.noStreamsHint")}</p>
      </div>
    );
  }
  return (
    <div className="stream-grid">
      {list.map((stream) => (
        <StreamChart key={stream.id} stream={stream} />
      ))}
    </div>
  );
}

function StreamChart({ stream }: { readonly stream: View<Stream> }) {
  const { t } = useTranslation();
  const video = stream.kind === "video";
  const name = `${t(`runtime.${stream.direction}`)} · ${t(`runtime.${stream.kind}`)}`;
  const x = useMemo(() => stream.points.map(({ at }) => at), [stream.points]);
  const series = useMemo<readonly TimeSeries[]>(
    () =>
      FIGURES.filter(([key]) => video || key !== "fps").map(([key, colour, unit, atLeast]) => ({
        name: t(`runtime.${key}`),
        colour,
        unit,
        scale: key === "kbps" ? "kbps" : "other",
        atLeast: key === "kbps" && video ? 200 : atLeast,
        y: stream.points.map((point) => point[key]),
      })),
    [stream.points, t, video],
  );
  return (
    <div className="stream" data-stream={stream.id}>
      <LastMinutes
        title={name}
        x={x}
        series={series}
        beside={
          <>
            {stream.mos !== null && (
              <span className="stream-mos tnum">
                {t("runtime.mos")} {figure(stream.mos)}
              </span>
            )}
            <StateDot tone={TONES[stream.quality] ?? "off"}>
              {t(`runtime.quality.${stream.quality}`)}
            </StateDot>
          </>
        }
      />
    </div>
  );
}
