/** Who received what of whom in a conference: mean score, bitrate and loss of each pair. */
import type { ReceivedRow } from "../../../shared/protocol/call-view.ts";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { Score } from "../call-records/CallQuality.tsx";
import { CALL_QUALITY_TEXTS } from "./texts.ts";
import "../../components/table.css";

export function Received({
  rows,
  nameOf,
}: {
  readonly rows: readonly ReceivedRow[];
  readonly nameOf: (memName: string) => string;
}) {
  const text = useTexts(CALL_QUALITY_TEXTS);
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
