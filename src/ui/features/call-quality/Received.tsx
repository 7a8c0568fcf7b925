/** Who received what of whom in a conference: mean score, bitrate and loss of each pair. */
import { useMemo } from "react";
import type { CallTimeline, TimelineStream } from "../../../shared/protocol/call-timeline.ts";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { Score } from "../call-records/CallQuality.tsx";
import { CALL_QUALITY_TEXTS } from "./texts.ts";
import "../../components/table.css";

const meanOf = (
  streams: readonly TimelineStream[],
  figure: "mos" | "kbps" | "loss",
): number | null => {
  const values = streams
    .flatMap(({ points }) => points.map((point) => point[figure]))
    .filter((value) => value !== null);
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
};

export function Received(props: {
  readonly timeline: CallTimeline;
  readonly nameOf: (memName: string) => string;
}) {
  const text = useTexts(CALL_QUALITY_TEXTS);
  const { timeline, nameOf } = props;
  const rows = useMemo(
    () =>
      timeline.sides.flatMap(({ memName, streams }) => {
        const received = streams.filter(({ direction }) => direction === "remote");
        const senders = [...new Set(received.map(({ from }) => from))].toSorted();
        return senders.map((from) => {
          const own = received.filter((one) => one.from === from);
          const pictures = own.filter(({ kind }) => kind === "video");
          return {
            to: memName,
            from,
            mos: meanOf(own, "mos"),
            sound: meanOf(
              own.filter(({ kind }) => kind === "audio"),
              "kbps",
            ),
            picture: meanOf(pictures, "kbps"),
            height: Math.max(
              0,
              ...pictures.flatMap(({ points }) => points.map((p) => p.height ?? 0)),
            ),
            loss: meanOf(own, "loss"),
          };
        });
      }),
    [timeline],
  );
  if (rows.length === 0) return null;
  const whole = (value: number | null, unit: string): string =>
    value === null ? "–" : `${Math.round(value)}${unit}`;
  return (
    <section className="panel">
      <h2>{text("received")}</h2>
      <ScrollBox className="table-scroll table-tall">
        <table className="table" aria-label={text("received")}>
          <thead>
            <tr>
              <th>{text("receiver")}</th>
              <th>{text("sender")}</th>
              <th>{text("score")}</th>
              <th>{text("receivedSound")}</th>
              <th>{text("receivedPicture")}</th>
              <th>{text("size")}</th>
              <th>{text("loss")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ to, from, mos, sound, picture, height, loss }) => (
              <tr key={`${to} ${from}`}>
                <th scope="row">{nameOf(to)}</th>
                <td>{nameOf(from)}</td>
                <td>{mos === null ? "–" : <Score mos={mos} />}</td>
                <td className="tnum">{whole(sound, " kbit/s")}</td>
                <td className="tnum">{whole(picture, " kbit/s")}</td>
                <td className="tnum">{whole(height === 0 ? null : height, " px")}</td>
                <td className="tnum">{whole(loss, "%")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}
