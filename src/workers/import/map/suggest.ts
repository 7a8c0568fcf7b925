/**
 * Suggests a field for each column: as in the previous import, by the field's name, by its synonyms, or by the cells' content.
 */
import { allFields, type ImportFieldInfo } from "../../../shared/domain/import-fields.ts";
import { createRules } from "../../../shared/domain/import-rules.ts";
import { plain } from "../../../shared/domain/text-marks.ts";
import type { Mapping, Suggestion } from "../../../shared/protocol/import-worker.ts";
import type { ImportContext } from "../../../shared/protocol/rest/imports.ts";
import type { Table } from "../contracts.ts";

/** Rows looked at to recognise a column by its content. */
const SAMPLE = 200;
/** Share of the filled cells that must fit. */
const FITS = 0.8;
const MIN_FILLED = 3;

const bare = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replace(/[\s_*:：()（）【】[\]-]/g, "");

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

  if (remembered !== null) {
    const known = new Set(fields.map(({ key }) => key));
    for (const [column, key] of remembered.slice(0, headers.length).entries()) {
      if (key !== null && known.has(key)) put(column, key, "remembered");
    }
    // A column that was left out on purpose stays left out.
    return { mapping, by, missing: missingOf(fields, used), filled };
  }
  const names = headers.map(bare);
  const rules = createRules(context);
  const matches = byHeader(names, fields);
  for (const field of fields) {
    const [best] = matches
      .filter((match) => match.field === field)
      .map((match) => ({ ...match, mobiles: mobilesIn(table, match.column, field, rules) }))
      .sort((a, b) => b.mobiles - a.mobiles || a.rank - b.rank || a.column - b.column);
    if (best !== undefined) put(best.column, field.key, best.rank === 0 ? "name" : "synonym");
  }
  for (const key of BY_CONTENT) {
    const field = fields.find((one) => one.key === key);
    if (field === undefined || used.has(key)) continue;
    // Id numbers, phone numbers and emails are recognised under any unknown header; other fields only under an empty one.
    const sure = key === "idNumber" || key === "phone" || key === "email";
    const column = headers.findIndex(
      (_, at) =>
        mapping[at] === null && (sure || names[at] === "") && fits(table, at, field, rules),
    );
    if (column >= 0) put(column, key, "content");
  }
  return { mapping, by, missing: missingOf(fields, used), filled };
}

const missingOf = (fields: readonly ImportFieldInfo[], used: ReadonlySet<string>): string[] =>
  fields.flatMap(({ key, required }) => (required === true && !used.has(key) ? [key] : []));

interface Match {
  readonly column: number;
  readonly field: ImportFieldInfo;
  /** 0: the header is the field's name; else the place among its synonyms. */
  readonly rank: number;
}

/** Columns whose header names a field, or is one of its synonyms. */
function byHeader(names: readonly string[], fields: readonly ImportFieldInfo[]): Match[] {
  return names.flatMap((name, column): Match[] => {
    if (name === "") return [];
    const named = fields.find((field) => bare(field.label) === name || bare(field.key) === name);
    if (named !== undefined) return [{ column, field: named, rank: 0 }];
    return fields.flatMap((field) => {
      const place = field.synonyms.findIndex((one) => bare(one) === name);
      return place < 0 ? [] : [{ column, field, rank: 1 + place }];
    });
  });
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
