/** One chart per media stream: bitrate, loss, round-trip time, frame rate. The latest values above it are its legend. */
import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { QualitySlice } from "../../../shared/protocol/state.ts";
import { StateDot, type Tone } from "../../components/StateDot.tsx";
import { useFrozenSlice } from "../../state/services.ts";
import type { SeriesSpec } from "./Chart.tsx";
import { columns, figure } from "./series.ts";
import { retrying } from "../../state/retrying.ts";

const Chart = lazy(() => retrying(() => import("./Chart.tsx")));

type Stream = QualitySlice["streams"][string];
type View<T> = { readonly [K in keyof T]: T[K] extends (infer E)[] ? readonly View<E>[] : T[K] };

const COLOURS = { kbps: "#1890ff", loss: "#e5484d", rtt: "#d98a00", fps: "#12a150" } as const;
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
  const last = stream.points.at(-1);
  const data = useMemo(
    () =>
      columns(stream.points, (p) => p.at, [
        (p) => p.kbps,
        (p) => p.rtt,
        (p) => p.loss,
        ...(video ? [(p: { fps: number | null }) => p.fps] : []),
      ]),
    [stream.points, video],
  );
  const specs = useMemo<readonly SeriesSpec[]>(
    () => [
      {
        label: t("runtime.kbps"),
        colour: COLOURS.kbps,
        scale: "kbps",
        atLeast: video ? 200 : 50,
      },
      { label: t("runtime.rtt"), colour: COLOURS.rtt, scale: "other", atLeast: 50 },
      { label: t("runtime.loss"), colour: COLOURS.loss, scale: "other", atLeast: 50 },
      ...(video
        ? [{ label: t("runtime.fps"), colour: COLOURS.fps, scale: "other", atLeast: 50 }]
        : []),
    ],
    [t, video],
  );
  const legend = [
    { key: "kbps", colour: COLOURS.kbps, text: figure(last?.kbps, " kbit/s") },
    { key: "rtt", colour: COLOURS.rtt, text: figure(last?.rtt, " ms") },
    { key: "loss", colour: COLOURS.loss, text: figure(last?.loss, "%") },
    ...(video ? [{ key: "fps", colour: COLOURS.fps, text: figure(last?.fps, " fps") }] : []),
  ] as const;
  return (
    <section className="stream" aria-label={name} data-stream={stream.id}>
      <header>
        <h3>{name}</h3>
        {stream.mos !== null && (
          <span className="stream-mos tnum">
            {t("runtime.mos")} {figure(stream.mos)}
          </span>
        )}
        <StateDot tone={TONES[stream.quality] ?? "off"}>
          {t(`runtime.quality.${stream.quality}`)}
        </StateDot>
      </header>
      <dl className="stream-legend">
        {legend.map((item) => (
          <div key={item.key}>
            <dt>
              <i style={{ background: item.colour }} aria-hidden="true" />
              {t(`runtime.${item.key as "kbps" | "rtt" | "loss" | "fps"}`)}
            </dt>
            <dd className="tnum">{item.text}</dd>
          </div>
        ))}
      </dl>
      {stream.points.length < 2 ? (
        <p className="runtime-waiting">{t("runtime.noPoints")}</p>
      ) : (
        <Suspense fallback={<div className="chart" />}>
          <Chart label={name} specs={specs} data={data} />
        </Suspense>
      )}
    </section>
  );
}
