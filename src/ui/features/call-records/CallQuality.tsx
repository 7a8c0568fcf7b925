/** How good a past call was in each direction, and why it was bad (docs/calls.md#records). */
import { CALL_CAUSE_TEXTS } from "../../../shared/domain/call-cause-texts.ts";
import { formatDate, formatDuration } from "../../../shared/domain/format.ts";
import { opinionName } from "../../../shared/domain/opinion-score.ts";
import type { CallQuality as Quality } from "../../../shared/protocol/rest/call-records.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { StateDot, type Tone } from "../../components/StateDot.tsx";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useRead } from "../../state/useRead.ts";
import { CALL_RECORD_TEXTS } from "./texts.ts";
import "../../components/table.css";
import "./call-quality.css";

const TONES: Readonly<Record<ReturnType<typeof opinionName>, Tone>> = {
  good: "good",
  fair: "warn",
  poor: "bad",
};
const figure = (value: number | null): string => (value === null ? "–" : value.toFixed(1));

/** A score with the word for it. */
export function Score({ mos }: { readonly mos: number }) {
  const text = useTexts(CALL_RECORD_TEXTS);
  const name = opinionName(mos);
  return (
    <StateDot tone={TONES[name]}>
      {text(name)} <span className="tnum">{figure(mos)}</span>
    </StateDot>
  );
}

export function CallQuality(props: { readonly id: string; readonly endedAt: number }) {
  const text = useTexts(CALL_RECORD_TEXTS);
  const { answer, again } = useRead({ call: "calls.quality", params: { id: props.id } });
  if (answer.state !== "ready") {
    return (
      <ReadNote
        className="call-quality-none"
        answer={answer}
        failed={text("qualityFailed")}
        onRetry={again}
      />
    );
  }
  const { scores, causes } = answer.data;
  if (scores.length === 0) return <p className="call-quality-none">{text("notMeasured")}</p>;
  return (
    <div className="call-quality">
      <Scores scores={scores} />
      {causes.length === 0 ? (
        <p className="call-quality-none">{text("noCauses")}</p>
      ) : (
        <Causes causes={causes} endedAt={props.endedAt} />
      )}
    </div>
  );
}

export function Scores({ scores }: Pick<Quality, "scores">) {
  const text = useTexts(CALL_RECORD_TEXTS);
  return (
    <ScrollBox className="table-scroll">
      <table className="table" aria-label={text("scores")}>
        <thead>
          <tr>
            <th>{text("sender")}</th>
            <th>{text("quality")}</th>
            <th>{text("sound")}</th>
            <th>{text("picture")}</th>
          </tr>
        </thead>
        <tbody>
          {scores.map(({ from, name, sound, picture, mos }) => (
            <tr key={from}>
              <th scope="row">{name}</th>
              <td>{mos === null ? "–" : <Score mos={mos} />}</td>
              <td className="tnum">{figure(sound)}</td>
              <td className="tnum">{figure(picture)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** @param props.endedAt ms since the epoch: a cause without an end lasted so long */
export function Causes(props: Pick<Quality, "causes"> & { readonly endedAt: number }) {
  const text = useTexts(CALL_RECORD_TEXTS);
  const language = currentLanguage() === "en" ? 1 : 0;
  return (
    <ol className="call-causes" aria-label={text("causes")}>
      {props.causes.map(({ cause, name, begin, end }) => {
        const words = CALL_CAUSE_TEXTS[cause];
        return (
          <li key={`${cause} ${name ?? ""} ${begin}`} data-cause={cause}>
            <strong>{words.name[language]}</strong>
            <span className="call-cause-who">{name ?? text("bothSides")}</span>
            <span className="tnum">
              {formatDate(begin, "{h}:{i}:{s}")} –{" "}
              {end === null ? text("toTheEnd") : formatDate(end, "{h}:{i}:{s}")} ·{" "}
              {formatDuration(Math.max(1000, (end ?? props.endedAt) - begin))}
            </span>
            <span className="call-cause-what">{words.what[language]}</span>
          </li>
        );
      })}
    </ol>
  );
}
