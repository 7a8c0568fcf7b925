/**
 * Suggests a field for each column: as in the previous import, by the field's name, by its synonyms, or by the cells' content.
 */
import {
  allFields,
  type ImportFieldInfo,
  missingFields,
  unusedFields,
} from "../../../shared/domain/import-fields.ts";
import { createRules } from "../../../shared/domain/import-rules.ts";
import type { Mapping, Suggestion } from "../../../shared/protocol/import-worker.ts";
import type { ImportContext } from "../../../shared/protocol/rest/imports.ts";
import type { Table } from "../contracts.ts";
import { bareName, isOtherThing, namesOf } from "./header-names.ts";

/** Rows looked at to recognise a column by its content. */
const SAMPLE = 200;
/** Share of the filled cells that must fit. */
const FITS = 0.8;
const MIN_FILLED = 3;

/** Fields that can be recognised by content, the most reliable first. */
const BY_CONTENT = ["idNumber", "phone", "email", "gender", "birthday", "hireDate"] as const;

export function suggestMapping(
  table: Pick<Table, "headers" | "rows" | "text" | "filled">,
  context: ImportContext,
  remembered: Mapping | null,
): Suggestion {
  const fields = allFields(context);
  const { headers } = table;
  const mapping: Mapping = headers.map(() => null);
  const by: Suggestion["by"] = headers.map(() => "none");
  const filled = headers.map((_, column) => table.filled(column));
  const used = new Set<string>();
  const put = (column: number, key: string, how: Suggestion["by"][number]): void => {
    if (used.has(key) || mapping[column] !== null) return;
    used.add(key);
    mapping[column] = key;
    by[column] = how;
  };

  /** Marks the columns that are left out because the company does not use their fields. */
  const sayUnused = (): void => {
    const unused = createNames(unusedFields(context));
    for (const [column, header] of headers.entries()) {
      if (mapping[column] !== null) continue;
      const names = namesOf(header).flat();
      if (unused.synonym(names, NONE) !== null) by[column] = "unused";
    }
  };

  if (remembered !== null) {
    const known = new Set(fields.map(({ key }) => key));
    for (const [column, key] of remembered.slice(0, headers.length).entries()) {
      if (key !== null && known.has(key)) put(column, key, "remembered");
    }
    sayUnused();
    // A column that was left out on purpose stays left out.
    return { mapping, by, missing: missingFields(fields, used), filled };
  }
  const rules = createRules(context);
  const known = createNames(fields);
  const names = headers.map(namesOf);
  const steps = stepsFor(names);
  const fieldOf = (column: number, { how, trust }: Step, taken: ReadonlySet<string>) =>
    known[how](names[column]?.[trust] ?? [], taken);
  // Of several columns of telephone numbers, the one with more mobile numbers is taken.
  for (const field of fields.filter(({ rule }) => rule.type === "phone")) {
    const [best] = headers
      .flatMap((_, column) => {
        const rank = steps.findIndex((step) => fieldOf(column, step, NONE) === field.key);
        if (rank < 0) return [];
        const place = placeAmong(field.synonyms, names[column] ?? []);
        return [{ column, rank, place, mobiles: mobilesIn(table, column, field, rules) }];
      })
      .sort(
        (x, y) =>
          y.mobiles - x.mobiles || x.rank - y.rank || x.place - y.place || x.column - y.column,
      );
    const step = best === undefined ? undefined : steps[best.rank];
    if (best !== undefined && step !== undefined) put(best.column, field.key, labelOf(step));
  }
  for (const step of steps) {
    for (const column of headers.keys()) {
      const key = fieldOf(column, step, used);
      if (key !== null) put(column, key, labelOf(step));
    }
  }
  for (const key of BY_CONTENT) {
    const field = fields.find((one) => one.key === key);
    if (field === undefined || used.has(key)) continue;
    // Id numbers, phone numbers and emails are recognised under any unknown header; other fields only under an empty one.
    const sure = key === "idNumber" || key === "phone" || key === "email";
    const column = headers.findIndex(
      (header, at) =>
        mapping[at] === null &&
        (header.trim() === "" || (sure && !isOtherThing(header))) &&
        fits(table, at, field, rules),
    );
    if (column >= 0) put(column, key, "content");
  }
  sayUnused();
  return { mapping, by, missing: missingFields(fields, used), filled };
}

interface Step {
  readonly how: "name" | "synonym";
  /** Place among the names of a header, the most certain first. */
  readonly trust: number;
}
const NONE: ReadonlySet<string> = new Set();
const labelOf = ({ how, trust }: Step): "name" | "synonym" => (trust === 0 ? how : "synonym");

/** The order in which headers are compared. A name with notes is still the name; what remains is less certain. */
function stepsFor(names: readonly (readonly (readonly string[])[])[]): Step[] {
  const deepest = Math.max(0, ...names.map(({ length }) => length));
  const both = (trust: number): Step[] => [
    { how: "name", trust },
    { how: "synonym", trust },
  ];
  return [
    { how: "name", trust: 0 },
    { how: "name", trust: 1 },
    { how: "synonym", trust: 0 },
    { how: "synonym", trust: 1 },
    ...Array.from({ length: Math.max(0, deepest - 2) }, (_, at) => both(at + 2)).flat(),
  ];
}

/** Where the names of a header stand among the synonyms of a field; a synonym that comes first names it better. */
function placeAmong(synonyms: readonly string[], names: readonly (readonly string[])[]): number {
  const all = new Set(names.flat());
  const place = synonyms.findIndex((one) => all.has(bareName(one)));
  return place < 0 ? synonyms.length : place;
}

/** Looks fields up by their names, and by their synonyms. */
function createNames(fields: readonly ImportFieldInfo[]) {
  const entries = (namesOfField: (field: ImportFieldInfo) => readonly string[]) =>
    fields.map((field) => ({ key: field.key, names: new Set(namesOfField(field).map(bareName)) }));
  const byName = entries(({ key, label }) => [label, key]);
  const bySynonym = entries(({ key, label, synonyms }) => [label, key, ...synonyms]);
  /** The one field that the names mean; null for none, or for several. */
  const one = (
    all: typeof byName,
    names: readonly string[],
    used: ReadonlySet<string>,
  ): string | null => {
    const found = new Set<string>();
    for (const name of names) {
      const meant = name === "" ? [] : all.filter((entry) => entry.names.has(name));
      const field = meant.find(({ key }) => !used.has(key)) ?? meant[0];
      if (field !== undefined) found.add(field.key);
    }
    const [key] = found;
    return found.size === 1 && key !== undefined && !used.has(key) ? key : null;
  };
  return {
    name: (names: readonly string[], used: ReadonlySet<string>) => one(byName, names, used),
    synonym: (names: readonly string[], used: ReadonlySet<string>) => one(bySynonym, names, used),
  };
}

const MOBILE = /^1[3-9]\d{9}$/;
/** How many of the first cells hold a mobile number. Of two columns of telephone numbers the one with more of them is taken. */
function mobilesIn(
  table: Pick<Table, "rows" | "text">,
  column: number,
  field: ImportFieldInfo,
  rules: ReturnType<typeof createRules>,
): number {
  if (field.rule.type !== "phone") return 0;
  let count = 0;
  for (let i = 0; i < Math.min(SAMPLE, table.rows); i += 1) {
    const text = table.text(i, column);
    if (text === "") continue;
    const verdict = rules.judge(field.rule, text);
    if ("value" in verdict && MOBILE.test(verdict.value)) count += 1;
  }
  return count;
}

function fits(
  table: Pick<Table, "rows" | "text">,
  column: number,
  field: ImportFieldInfo,
  rules: ReturnType<typeof createRules>,
): boolean {
  let filled = 0;
  let good = 0;
  for (let i = 0; i < Math.min(SAMPLE, table.rows); i += 1) {
    const text = table.text(i, column);
    if (text === "") continue;
    filled += 1;
    if ("value" in rules.judge(field.rule, text)) good += 1;
  }
  return filled >= MIN_FILLED && good / filled >= FITS;
}
