/**
 * Suggests a field for each column: as in the previous import, by the field's name, by its synonyms, or by the cells' content.
 */
import { allFields, type ImportFieldInfo } from "../../../shared/domain/import-fields.ts";
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
  table: Pick<Table, "headers" | "rows" | "text">,
  context: ImportContext,
  remembered: Mapping | null,
): Suggestion {
  const fields = allFields(context);
  const { headers } = table;
  const mapping: Mapping = headers.map(() => null);
  const by: Suggestion["by"] = headers.map(() => "none");
  const used = new Set<string>();
  const put = (column: number, key: string, how: Suggestion["by"][number]): void => {
    if (used.has(key) || mapping[column] !== null) return;
    used.add(key);
    mapping[column] = key;
    by[column] = how;
  };

  if (remembered !== null) {
    const known = new Set(fields.map(({ key }) => key));
    for (const [column, key] of remembered.slice(0, headers.length).entries()) {
      if (key !== null && known.has(key)) put(column, key, "remembered");
    }
    // A column that was left out on purpose stays left out.
    return { mapping, by, missing: missingOf(fields, used) };
  }
  const known = createNames(fields);
  const names = headers.map(namesOf);
  const match = (how: "name" | "synonym", trust: number): void => {
    for (const [column, all] of names.entries()) {
      const field = known[how](all[trust] ?? [], used);
      if (field !== null) put(column, field, trust === 0 ? how : "synonym");
    }
  };
  // A name with notes is still the name; what remains is less certain.
  for (const how of ["name", "synonym"] as const) for (const trust of [0, 1]) match(how, trust);
  const deepest = Math.max(0, ...names.map(({ length }) => length));
  for (let trust = 2; trust < deepest; trust += 1) {
    match("name", trust);
    match("synonym", trust);
  }
  const rules = createRules(context);
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
  return { mapping, by, missing: missingOf(fields, used) };
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

const missingOf = (fields: readonly ImportFieldInfo[], used: ReadonlySet<string>): string[] =>
  fields.flatMap(({ key, required }) => (required === true && !used.has(key) ? [key] : []));

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
