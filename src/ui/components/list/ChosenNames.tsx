/** The question before something is done with chosen rows: it names them, and leaves out those that the filter hides unless wanted. */
import { useId, useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { CHOSEN_TEXTS } from "./texts.ts";
import "./chosen-names.css";

/** Names that are written out; more are counted. */
const NAMED = 10;

export function ChosenNames<T>(props: {
  /** @param count of rows with which it is done */
  readonly question: (count: number) => string;
  readonly rows: readonly T[];
  /** Those of the rows that the filter may hide (useChoice). */
  readonly elsewhere: readonly T[];
  readonly nameOf: (row: T) => string;
  /** Called with the rows with which it is done, whenever the person changes them. */
  readonly onRows: (rows: readonly T[]) => void;
}) {
  const { question, rows, elsewhere, nameOf, onRows } = props;
  const text = useTexts(CHOSEN_TEXTS);
  const id = useId();
  const [all, setAll] = useState(elsewhere.length === rows.length);
  const inSight = withoutElsewhere(rows, elsewhere);
  const names = (list: readonly T[]): string => {
    const written = list.slice(0, NAMED).map(nameOf).join(text("between"));
    return list.length > NAMED ? text("more", { names: written, count: list.length }) : written;
  };
  return (
    <div className="chosen-names">
      <p>{question(all ? rows.length : inSight.length)}</p>
      {inSight.length > 0 && <p className="chosen-names-list">{names(inSight)}</p>}
      {elsewhere.length > 0 && (
        <div className="chosen-names-elsewhere">
          <input
            type="checkbox"
            id={id}
            checked={all}
            onChange={({ target }) => {
              setAll(target.checked);
              onRows(target.checked ? rows : inSight);
            }}
          />
          <label htmlFor={id}>
            {text("elsewhere", { count: elsewhere.length, names: names(elsewhere) })}
          </label>
        </div>
      )}
    </div>
  );
}

/** The rows with which it is done at first. */
export function withoutElsewhere<T>(rows: readonly T[], elsewhere: readonly T[]): readonly T[] {
  if (elsewhere.length === 0 || elsewhere.length === rows.length) return rows;
  const hidden = new Set(elsewhere);
  return rows.filter((row) => !hidden.has(row));
}
