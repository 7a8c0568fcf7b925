/** Charts over one time (docs/session.md#charts-over-time): they share range and cursor, and any of them moves all. */
import { createContext, type ReactNode, useContext, useEffect, useId, useState } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { createRangeGroup, type GroupClock, type RangeGroup } from "./range-group.ts";
import { CHART_TEXTS } from "./texts.ts";
import { rangeAfterKey, type TimeRange } from "./time-range.ts";
import "./charts.css";

const LEAST_MS = 10_000;
const DAY_MS = 86_400_000;

const Group = createContext<RangeGroup | null>(null);

/** @throws Error outside of TimeCharts */
export function useRangeGroup(): RangeGroup {
  const group = useContext(Group);
  if (group === null) throw new Error("a TimeChart lies inside of TimeCharts");
  return group;
}

const clock: GroupClock = {
  frame: (work) => void requestAnimationFrame(work),
  later(work, ms) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * @param props.full the range that a reset shows, ms since the epoch
 * @param props.range what is shown; null: `full`
 * @param props.onRange called once a gesture rests; null after a reset. Who keeps the range in the address writes it there.
 * @param props.bounds how far a person may pan; left out: `full`
 * @param props.least ms of the shortest range; left out: 10 s
 * @param props.bar a row with the range in words and buttons; left out: there is one
 */
export function TimeCharts(props: {
  readonly full: TimeRange;
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange | null) => void;
  readonly bounds?: TimeRange;
  readonly least?: number;
  readonly bar?: boolean;
  readonly children: ReactNode;
}) {
  const { full, range, onRange, bounds = full, least = LEAST_MS, bar = true, children } = props;
  const key = useId();
  const given = { full, range, onRange, limits: { bounds, least } };
  const [group] = useState(() => createRangeGroup(key, clock, given));
  useEffect(() => group.give(given));
  return (
    <Group value={group}>
      {bar && <Bar group={group} />}
      {children}
    </Group>
  );
}

const words = ({ from, to }: TimeRange): string => {
  const pattern = to - from < 2 * DAY_MS ? "{m}-{d} {h}:{i}:{s}" : "{y}-{m}-{d} {h}:{i}";
  return `${formatDate(from, pattern)} – ${formatDate(to, pattern)}`;
};

const BUTTONS = [
  ["earlier", "ArrowLeft", "‹"],
  ["zoomOut", "-", "−"],
  ["zoomIn", "+", "+"],
  ["later", "ArrowRight", "›"],
  ["reset", "0", "⤢"],
] as const;

function Bar({ group }: { readonly group: RangeGroup }) {
  const text = useTexts(CHART_TEXTS);
  const [shown, setShown] = useState(group.shown());
  useEffect(() => group.listen(setShown), [group]);
  const press = (key: string): void => {
    const next = rangeAfterKey(key, group.shown(), group.limits());
    if (next !== undefined) group.move(next);
    group.rest();
  };
  return (
    <div className="charts-bar" role="group" aria-label={text("range")}>
      <span className="charts-range tnum" data-from={shown.from} data-to={shown.to}>
        {words(shown)}
      </span>
      <span className="charts-buttons">
        {BUTTONS.map(([name, key, sign]) => (
          <button
            key={name}
            type="button"
            aria-label={text(name)}
            title={text(name)}
            onClick={() => press(key)}
          >
            {sign}
          </button>
        ))}
      </span>
      <small className="charts-hint">{text("hint")}</small>
    </div>
  );
}
