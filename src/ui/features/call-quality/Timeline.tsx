/** One call as a timeline: its sides above each other over one time, with the causes marked (docs/session.md#quality-of-calls). */
import { useMemo } from "react";
import { CALL_CAUSE_TEXTS } from "../../../shared/domain/call-cause-texts.ts";
import type { FoundCause } from "../../../shared/domain/call-causes.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import type { CallView, ViewedSide } from "../../../shared/protocol/call-view.ts";
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import type { TimeMark } from "../../components/charts/contracts.ts";
import { TimeChart } from "../../components/charts/TimeChart.tsx";
import { TimeCharts } from "../../components/charts/TimeCharts.tsx";
import type { TimeRange } from "../../components/charts/time-range.ts";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Causes, Scores } from "../call-records/CallQuality.tsx";
import { chartsOf, EVENT_WORDS, toneOf } from "./charts.ts";
import { Received } from "./Received.tsx";
import { CALL_QUALITY_TEXTS } from "./texts.ts";

export function Timeline(props: {
  readonly view: CallView;
  /** Names of the chat user names in it. */
  readonly names: Readonly<Record<string, string>>;
  /** What is shown; null: all of it. */
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange | null) => void;
}) {
  const text = useTexts(CALL_QUALITY_TEXTS);
  const { view, names, range, onRange } = props;
  const { causes, scores, full } = view;
  const nameOf = (memName: string): string => names[memName] ?? memName;
  if (full === null) return <p className="call-quality-none">{text("noSides")}</p>;
  return (
    <div className="call-timeline">
      <section className="panel call-timeline-summary">
        <Scores scores={scores.map((one) => ({ ...one, name: nameOf(one.from) }))} />
        <div>
          <h2>{text("causes")}</h2>
          {causes.length === 0 ? (
            <p className="call-quality-none">{text("noCauses")}</p>
          ) : (
            <Causes
              endedAt={full.to}
              causes={causes.map(({ from, ...cause }) => ({
                ...cause,
                name: from === null ? null : nameOf(from),
              }))}
            />
          )}
        </div>
      </section>
      {view.sides.length > 2 && <Received rows={view.received} nameOf={nameOf} />}
      <TimeCharts full={full} range={range} onRange={onRange}>
        {view.sides.map((side) => (
          <Side
            key={side.memName}
            side={side}
            name={nameOf(side.memName)}
            causes={causes}
            end={full.to}
          />
        ))}
      </TimeCharts>
    </div>
  );
}

/** Whether one of the two candidates, which stand first in a route, is that of a relay. */
const isRelayed = (route: string): boolean => route.split("/").slice(0, 2).includes("relay");

/** `camera:unplugged` in words. */
function deviceWords(
  detail: string,
  text: (word: "camera" | "microphone" | "opened" | "closed" | "asking" | "broken") => string,
): string {
  const [device, state] = detail.split(":");
  const name = text(device === "camera" ? "camera" : "microphone");
  if (state === "on") return `${name} ${text("opened")}`;
  if (state === "asking") return `${name} ${text("asking")}`;
  return `${name} ${text(state === "off" ? "closed" : "broken")}`;
}

function Side(props: {
  readonly side: ViewedSide;
  readonly name: string;
  readonly causes: readonly FoundCause[];
  readonly end: number;
}) {
  const text = useTexts(CALL_QUALITY_TEXTS);
  const { side, name, causes, end } = props;
  const language = currentLanguage() === "en" ? 1 : 0;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the words depend on the language alone
  const charts = useMemo(() => chartsOf(side, text), [side, language]);
  const marks = useMemo(
    () =>
      causes.map((cause): TimeMark => ({
        from: cause.begin,
        to: cause.end ?? end,
        words: CALL_CAUSE_TEXTS[cause.cause].name[language],
        tone: toneOf(cause, side),
      })),
    [causes, end, language, side],
  );
  const events = [
    ...side.events.flatMap(({ at, code, detail }) => {
      const word = EVENT_WORDS[code];
      if (code === QUALITY_EVENT.device) return [{ at, words: deviceWords(detail, text) }];
      if (code === QUALITY_EVENT.picture) return [{ at, words: text("picture", { detail }) }];
      return word === undefined ? [] : [{ at, words: text(word as "enter") }];
    }),
    ...side.routes.map(({ at, detail }) => ({
      at,
      words: text(isRelayed(detail) ? "relayed" : "direct", { detail }),
    })),
  ].toSorted((one, other) => one.at - other.at);
  return (
    <section className="panel call-side" aria-label={name} data-side={side.memName}>
      <header>
        <h2>{name}</h2>
        <small>{side.machine.join(" · ")}</small>
      </header>
      {events.length > 0 && (
        <ul className="call-events" aria-label={text("events")}>
          {events.map(({ at, words }) => (
            <li key={`${at} ${words}`}>
              <time className="tnum">{formatDate(at, "{h}:{i}:{s}")}</time> {words}
            </li>
          ))}
        </ul>
      )}
      <div className="call-side-charts">
        {charts.map(({ title, series }) => (
          <TimeChart
            key={title}
            title={text(title as "mos")}
            x={side.times}
            series={series}
            marks={marks}
          />
        ))}
      </div>
    </section>
  );
}
