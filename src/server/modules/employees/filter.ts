/** Compiles an advanced filter (nested and/or groups of conditions, typed by their fields) to one parameterised SQL condition. */
import { type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { searchable } from "../../../shared/domain/han-text.ts";
import { isDay } from "../../../shared/domain/validate.ts";
import {
  type FilterGroup,
  type FilterRule,
  MAX_FILTER_RULES,
} from "../../../shared/protocol/rest/filter.ts";
import { anywhere, likeFor } from "../../base/database/common.ts";
import type { Field } from "./fields.ts";

const COMPARE = { eq: "=", gt: ">", ge: ">=", lt: "<", le: "<=" } as const;
const TEXT_OPS: ReadonlySet<string> = new Set(["contains", "startsWith"]);

/**
 * What a comparison needs only for some texts, because it costs more than reading the rows: a text without dots is contained in a text
 * with plain dots exactly if it is in the text itself. The same holds for capitals (`likeFor`).
 */
const HAS_DOT = /[.·]/u;

const refuse = (path: string, message: string): AppError =>
  new AppError("request.invalid", { details: { fields: { [path]: message } } });

/**
 * @param fields the fields of the company
 * @param options.along true: each row is tested in list order, without the keyword index (see page.ts)
 * @returns undefined when the filter admits every employee
 * @throws AppError request.invalid that names the rule by its path
 */
export function compileFilter(
  filter: FilterGroup,
  fields: Readonly<Record<string, Field>>,
  options: { readonly gone: boolean; readonly along?: boolean },
): SQL | undefined {
  let rules = 0;
  const group = (
    { logic, rules: parts }: FilterGroup,
    path: string,
    narrows: boolean,
  ): SQL | undefined => {
    const all = logic === "and";
    const compiled = parts
      .map((part, i) => {
        const at = `${path}.rules.${i}`;
        if ("logic" in part) return group(part, at, narrows && all);
        rules += 1;
        if (rules > MAX_FILTER_RULES) throw refuse("filter", `条件不能超过${MAX_FILTER_RULES}个`);
        return rule(part, at, narrows && all);
      })
      // An empty group admits every employee.
      .map((one) => one ?? sql`true`);
    if (compiled.length === 0) return undefined;
    return sql`(${sql.join(compiled, all ? sql` AND ` : sql` OR `)})`;
  };

  const rule = ({ field: name, op, value }: FilterRule, at: string, narrows: boolean): SQL => {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (known === undefined) throw refuse(`${at}.field`, "没有这个字段");
    const { value: column, type, searched } = known;
    if (op === "isEmpty" || op === "notEmpty") {
      const empty =
        type === "text" || type === "dict"
          ? sql`coalesce(${column}, '') = ''`
          : sql`${column} IS NULL`;
      return op === "isEmpty" ? sql`(${empty})` : sql`(NOT (${empty}))`;
    }
    if (op === "in" || op === "between") {
      if (!Array.isArray(value) || value.length === 0 || (op === "between" && value.length !== 2)) {
        throw refuse(`${at}.value`, op === "in" ? "应为非空数组" : "应为两个值的数组");
      }
      const values = value.map((one, i) => operand(one, known, `${at}.value.${i}`));
      return op === "in"
        ? sql`(${column} IN (${sql.join(values, sql`, `)}))`
        : sql`(${column} BETWEEN ${values[0]} AND ${values[1]})`;
    }
    if (value === undefined || Array.isArray(value)) throw refuse(`${at}.value`, "应为一个值");
    if (TEXT_OPS.has(op)) {
      if (type !== "text") throw refuse(`${at}.op`, "该字段不支持此运算");
      const text = String(value);
      if (text === "") return sql`true`;
      // What keywords search, they find whichever dot was written.
      const said = searched === true ? searchable(text) : text;
      const pattern = op === "contains" ? anywhere(said) : anywhere(said).slice(1);
      const compared =
        searched === true && HAS_DOT.test(said) ? sql`plain_dots(${column})` : column;
      const exact = sql`${compared} ${likeFor(said)} ${pattern}`;
      // Under "and", the keyword index first narrows the rows down to few.
      return searched === true && narrows && options.along !== true && !text.includes("\n")
        ? sql`(e.id IN (SELECT employee_matches(${said}, ${options.gone})) AND ${exact})`
        : sql`(${exact})`;
    }
    const one = operand(value, known, `${at}.value`);
    if (op === "ne") return sql`(${column} IS DISTINCT FROM ${one})`;
    return sql`(${column} ${sql.raw(COMPARE[op as keyof typeof COMPARE])} ${one})`;
  };

  return group(filter, "filter", true);
}

/** Converts a value to a parameter of the field's type. */
function operand(value: string | number, { type, own }: Field, at: string): SQL {
  if (type === "number") {
    const number = typeof value === "number" ? value : Number(value.trim() === "" ? "x" : value);
    if (!Number.isFinite(number)) throw refuse(at, "应为数字");
    return sql`${String(number)}::numeric`;
  }
  const text = String(value);
  if (type === "date") {
    if (!isDay(text)) throw refuse(at, "应为日期 YYYY-MM-DD");
    // Dates in own fields are stored as texts.
    return own === true ? sql`${text}::text` : sql`${text}::date`;
  }
  return sql`${text}::text`;
}
