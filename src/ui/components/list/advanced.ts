/** The advanced filter while a person edits it: rows of texts, which become a filter when nothing is wrong with them. Pure. */
import { isDay } from "../../../shared/domain/validate.ts";
import {
  type FilterGroup,
  type FilterRule,
  FILTER_TEXT_MAX,
  MAX_FILTER_RULES,
} from "../../../shared/protocol/rest/filter.ts";
import type { FormOption } from "../form/fields.ts";

export type FilterOperator = FilterRule["op"];

export interface AdvancedField {
  readonly key: string;
  readonly label: string;
  readonly type: "text" | "number" | "date" | "dict";
  /** The values of a dictionary. */
  readonly options?: readonly FormOption[];
}

export interface DraftRule {
  readonly id: number;
  readonly field: string;
  readonly op: FilterOperator;
  readonly value: string;
  /** The end of "between". */
  readonly end: string;
}
export interface DraftGroup {
  readonly id: number;
  readonly logic: "and" | "or";
  readonly rules: readonly (DraftRule | DraftGroup)[];
}

const ORDERED = ["eq", "gt", "ge", "lt", "le", "between", "isEmpty", "notEmpty"] as const;
export const OPERATORS: Readonly<Record<AdvancedField["type"], readonly FilterOperator[]>> = {
  text: ["contains", "startsWith", "eq", "ne", "in", "isEmpty", "notEmpty"],
  number: ORDERED,
  date: ORDERED,
  dict: ["eq", "ne", "isEmpty", "notEmpty"],
};

/** Whether the operator takes a value. */
export const takesValue = (op: FilterOperator): boolean => op !== "isEmpty" && op !== "notEmpty";

const isGroup = <G extends { logic: unknown }>(part: G | { field: string }): part is G =>
  "logic" in part;

export interface DraftMaker {
  rule(field: AdvancedField): DraftRule;
  group(logic: "and" | "or", rules: readonly (DraftRule | DraftGroup)[]): DraftGroup;
  from(filter: FilterGroup): DraftGroup;
}

/** Makes parts of a draft, each with an id of its own. */
export function createDraftMaker(): DraftMaker {
  let last = 0;
  const next = (): number => (last += 1);
  const from = ({ logic, rules }: FilterGroup): DraftGroup => ({
    id: next(),
    logic,
    rules: rules.map((part) => {
      if (isGroup<FilterGroup>(part)) return from(part);
      const { field, op, value } = part;
      const [first = "", end = ""] =
        op === "between" && Array.isArray(value)
          ? value.map(String)
          : [Array.isArray(value) ? value.join(",") : String(value ?? "")];
      return { id: next(), field, op, value: first, end };
    }),
  });
  return {
    from,
    rule: ({ key, type }) => ({
      id: next(),
      field: key,
      op: OPERATORS[type][0] as FilterOperator,
      value: "",
      end: "",
    }),
    group: (logic, rules) => ({ id: next(), logic, rules }),
  };
}

/** What is wrong with a draft: by the id of a rule, or with all of it. */
export type Wrong = "missing" | "number" | "date" | "order" | "many" | "long";
export interface Checked {
  /** null: no condition, so all rows. */
  readonly filter: FilterGroup | null;
  readonly wrong: ReadonlyMap<number, Wrong>;
  /** Something is wrong with the filter as a whole. */
  readonly whole: Wrong | null;
}

const isNumber = (text: string): boolean => text !== "" && Number.isFinite(Number(text));

export function checkDraft(draft: DraftGroup, fields: readonly AdvancedField[]): Checked {
  const wrong = new Map<number, Wrong>();
  let count = 0;
  const typeOf = (key: string) => fields.find((field) => field.key === key)?.type ?? "text";
  const wrongOf = (text: string, type: AdvancedField["type"]): Wrong | null => {
    if (text === "") return "missing";
    if (type === "number" && !isNumber(text)) return "number";
    return type === "date" && !isDay(text) ? "date" : null;
  };
  const ruleOf = ({ id, field, op, ...given }: DraftRule): FilterRule => {
    count += 1;
    if (!takesValue(op)) return { field, op };
    const type = typeOf(field);
    const value = given.value.trim();
    const end = given.end.trim();
    if (op === "in") {
      const values = value.split(/[,，]/).map((one) => one.trim());
      const filled = values.filter((one) => one !== "");
      if (filled.length === 0) wrong.set(id, "missing");
      if (filled.length > 100) wrong.set(id, "many");
      return { field, op, value: filled };
    }
    const found = wrongOf(value, type) ?? (op === "between" ? wrongOf(end, type) : null);
    if (found !== null) wrong.set(id, found);
    else if (op === "between" && (type === "number" ? Number(value) > Number(end) : value > end)) {
      wrong.set(id, "order");
    }
    return { field, op, value: op === "between" ? [value, end] : value };
  };
  const groupOf = ({ logic, rules }: DraftGroup): FilterGroup => ({
    logic,
    rules: rules
      .map((part) => (isGroup<DraftGroup>(part) ? groupOf(part) : ruleOf(part)))
      // a group without a condition would let every row through
      .filter((part) => !isGroup<FilterGroup>(part) || part.rules.length > 0),
  });
  const filter = groupOf(draft);
  const whole =
    count > MAX_FILTER_RULES
      ? ("many" as const)
      : JSON.stringify(filter).length > FILTER_TEXT_MAX
        ? ("long" as const)
        : null;
  return { filter: filter.rules.length === 0 ? null : filter, wrong, whole };
}

/** The number of conditions. */
export const countRules = (filter: FilterGroup | null): number =>
  (filter?.rules ?? [])
    .map((part): number => (isGroup<FilterGroup>(part) ? countRules(part) : 1))
    .reduce((a, b) => a + b, 0);

/** The draft with one part replaced; null removes it. */
export const replacePart = (
  group: DraftGroup,
  id: number,
  part: DraftRule | DraftGroup | null,
): DraftGroup => ({
  ...group,
  rules: group.rules.flatMap((one) => {
    if (one.id === id) return part === null ? [] : [part];
    return [isGroup<DraftGroup>(one) ? replacePart(one, id, part) : one];
  }),
});
