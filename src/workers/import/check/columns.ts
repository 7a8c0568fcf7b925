/** A mapped column: the text id of each row, and the verdict on each text. Edits give rows other ids; the file never changes. */
import type { ImportFieldInfo } from "../../../shared/domain/import-fields.ts";
import type { Note, Wrong } from "../../../shared/domain/employee-values.ts";
import type { CellFacts, Rules } from "../../../shared/domain/import-rules.ts";
import { isInvisible } from "../../../shared/domain/text-marks.ts";
import type { Table } from "../contracts.ts";

/** Texts judged between two calls of `breathe`. */
const BREATH = 20_000;

export interface Column {
  readonly column: number;
  readonly field: ImportFieldInfo;
  /** Per row: the id of its text; -1 when empty. */
  readonly ids: Int32Array;
  /** Number of texts, including those from edits. */
  readonly count: number;
  /** Whether each value is its own text, so that equal values have equal ids. Edits end this. */
  readonly isExact: boolean;
  /** The text as a person reads it. */
  text(id: number): string;
  /** The value that is sent to the server; "" for none. */
  value(id: number): string;
  wrong(id: number): Wrong | null;
  /** A note about a text that is taken; null for most. */
  note(id: number): Note | null;
  /** Whether any text so far has a note. */
  readonly hasNotes: boolean;
  /** The id of a text that a person typed; -1 for an empty one. */
  idOf(text: string): number;
  /** All ids whose text equals this one. */
  idsOf(text: string): number[];
  /** Records the server's answer whether an employee already has the value. */
  setTaken(value: string, taken: boolean): void;
}

/** @param breathe yields to the event loop; rejects when the work is cancelled */
export async function createColumn(
  table: Table,
  column: number,
  field: ImportFieldInfo,
  rules: Rules,
  takenMessage: string,
  breathe: () => Promise<void>,
): Promise<Column> {
  const source = table.ids(column);
  const ids = source.ids.slice();
  const texts = source.texts();
  const first = new Int32Array(source.count).fill(-1);
  for (let i = 0; i < ids.length; i += 1) {
    const id = ids[i]!;
    if (id >= 0 && first[id] === -1) first[id] = i;
  }
  const values: string[] = Array.from({ length: source.count });
  const wrongs: (Wrong | null)[] = Array.from({ length: source.count });
  /** Few texts have one. */
  const notes = new Map<number, Note>();
  const extra: string[] = [];
  const written = new Map<string, number>();
  const taken = new Set<string>();
  let exact = true;
  const required: Wrong = { rule: "required", message: `${field.label}不能为空` };
  const isTaken: Wrong = { rule: "taken", message: takenMessage };

  const judge = (id: number, text: string, facts: CellFacts): void => {
    if (isInvisible(text)) {
      values[id] = "";
      wrongs[id] = field.required === true ? required : null;
      return;
    }
    const verdict = rules.judge(field.rule, text, facts);
    values[id] = "value" in verdict ? verdict.value : "";
    wrongs[id] = "value" in verdict ? null : verdict.wrong;
    if ("value" in verdict && verdict.note !== undefined) notes.set(id, verdict.note);
  };
  for (let id = 0; id < source.count; id += 1) {
    if (id % BREATH === BREATH - 1) await breathe();
    const row = first[id]!;
    // Only rows above or in the header have this text.
    if (row < 0) {
      values[id] = "";
      wrongs[id] = null;
      continue;
    }
    judge(id, texts[id] ?? "", table.facts(row, column));
    if (values[id] !== texts[id] && values[id] !== "") exact = false;
  }
  const text = (id: number): string =>
    id < 0 ? "" : ((id < source.count ? texts[id] : extra[id - source.count]) ?? "");
  return {
    column,
    field,
    ids,
    get count() {
      return source.count + extra.length;
    },
    get isExact() {
      return exact && extra.length === 0;
    },
    text,
    value: (id) => (id < 0 ? "" : (values[id] ?? "")),
    wrong(id) {
      if (id < 0) return field.required === true ? required : null;
      const found = wrongs[id] ?? null;
      if (found !== null || taken.size === 0) return found;
      return taken.has(values[id] ?? "") ? isTaken : null;
    },
    note: (id) => notes.get(id) ?? null,
    get hasNotes() {
      return notes.size > 0;
    },
    idOf(written_) {
      if (isInvisible(written_)) return -1;
      const known = written.get(written_);
      if (known !== undefined) return known;
      const id = source.count + extra.length;
      extra.push(written_);
      written.set(written_, id);
      judge(id, written_, { kind: "written" });
      return id;
    },
    idsOf(wanted) {
      const found: number[] = wanted === "" ? [-1] : [];
      for (let id = 0; id < source.count + extra.length; id += 1) {
        if (text(id) === wanted) found.push(id);
      }
      return found;
    },
    setTaken(value, is) {
      if (is) taken.add(value);
      else taken.delete(value);
    },
  };
}
