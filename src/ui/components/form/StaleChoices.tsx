/** What another person changed in the record of a form, with a choice for each field (docs/server.md#versions). */
import { Button } from "@arco-design/web-react";
import { useId } from "react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { sayValue } from "./say.ts";
import type { Conflict, Editing, Side } from "./stale.ts";

export const STALE_TEXTS = texts({
  unsaved: [
    "尚未保存：其他人刚刚修改了这条记录",
    "Not saved: somebody else has just changed this record",
  ],
  changed: ["对方的修改", "What they changed"],
  hint: [
    "每项可以采用对方的内容，或保留您的内容。再次保存后生效。",
    "Take theirs or keep yours for each field. Save again to apply it.",
  ],
  allTheirs: ["全部采用对方", "Take all of theirs"],
  allMine: ["全部保留我的", "Keep all of mine"],
  was: ["原来：{{value}}", "Before: {{value}}"],
  theirs: ["采用对方", "Take theirs"],
  mine: ["保留我的", "Keep mine"],
  now: ["对方已改为", "They changed it to"],
  both: ["双方都修改了此项，请选择", "Both of you changed this. Choose one"],
});

export function StaleChoices(props: {
  readonly editing: Editing;
  /** Keys of the fields that the form has; others are only named. */
  readonly fields: ReadonlySet<string>;
  readonly onChoose: (side: Side, key?: string) => void;
}) {
  const { editing, fields, onChoose } = props;
  const text = useTexts(STALE_TEXTS);
  const { conflicts } = editing;
  if (conflicts.length === 0) return null;
  const chooses = conflicts.some(({ field }) => fields.has(field.key));
  return (
    <section className="form-stale" aria-label={text("changed")}>
      <header>
        <h3>{text("changed")}</h3>
        {chooses && (
          <span className="form-stale-all">
            <Button size="mini" onClick={() => onChoose("theirs")}>
              {text("allTheirs")}
            </Button>
            <Button size="mini" onClick={() => onChoose("mine")}>
              {text("allMine")}
            </Button>
          </span>
        )}
      </header>
      {chooses && <p>{text("hint")}</p>}
      {conflicts.map((conflict) => (
        <ChoiceOf
          key={conflict.field.key}
          conflict={conflict}
          editing={editing}
          onChoose={
            fields.has(conflict.field.key) ? (side) => onChoose(side, conflict.field.key) : null
          }
        />
      ))}
    </section>
  );
}

function ChoiceOf(props: {
  readonly conflict: Conflict;
  readonly editing: Editing;
  /** Null: the form does not have the field. */
  readonly onChoose: ((side: Side) => void) | null;
}) {
  const { conflict, editing, onChoose } = props;
  const { field, side } = conflict;
  const text = useTexts(STALE_TEXTS);
  const id = useId();
  const was = sayValue(field, conflict.was, editing.from);
  const open = side === null && onChoose !== null;
  return (
    <div
      className="form-stale-field"
      data-stale={field.key}
      data-open={open}
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      {...(open ? { "aria-describedby": `${id}-note` } : {})}
    >
      <p className="form-stale-label">
        <b id={`${id}-label`}>{field.label}</b>
        <span className="form-stale-was">{text("was", { value: was })}</span>
      </p>
      {open && (
        <p className="form-stale-note" id={`${id}-note`}>
          {text("both")}
        </p>
      )}
      <div className="form-stale-sides">
        {(["theirs", "mine"] as const).map((one) => {
          if (onChoose === null && one === "mine") return null;
          const value = sayValue(field, conflict[one], editing.values);
          return (
            <label key={one} data-chosen={side === one}>
              {onChoose !== null && (
                <input
                  type="radio"
                  name={id}
                  checked={side === one}
                  onChange={() => onChoose(one)}
                />
              )}
              <span className="form-stale-side">{text(onChoose === null ? "now" : one)}</span>
              <span className="form-stale-value">{value}</span>
            </label>
          );
        })}
      </div>
    </div>
  );
}
