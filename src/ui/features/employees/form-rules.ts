/**
 * The rules of the form of an employee: those of the import and of the wire (docs/import.md#one-writing). They are loaded behind the
 * list, which needs none of them. Pure.
 */
import { contradictions } from "../../../shared/domain/contradictions.ts";
import type { EmployeeField } from "../../../shared/domain/employee-fields.ts";
import { readValue, unfitValue, valueOr } from "../../../shared/domain/employee-values.ts";
import { isDay, isIdNumber } from "../../../shared/domain/validate.ts";
import { textIn, type Values } from "../../components/form/values.ts";

type Field = Pick<EmployeeField, "key" | "rule">;

export interface FormRules {
  /** Whether a text that is not empty can be written: not by itself, or not beside the other values. */
  wrong(field: Field, text: string, values: Values): "value" | "sign" | "contradiction" | null;
  /** What a person should look at in it. @param today YYYY-MM-DD; null: days are not doubted */
  warning(field: Field, text: string, values: Values, today: string | null): string | null;
}

/** What contradicts the value of a field among the values of the form. */
function contradiction(key: string, values: Values) {
  const idNumber = valueOr({ type: "idNumber" }, textIn(values, "idNumber"));
  const dayOf = (name: string): string => {
    const day = valueOr({ type: "date" }, textIn(values, name));
    return isDay(day) ? day : "";
  };
  const found = contradictions({
    idNumber: isIdNumber(idNumber) ? idNumber : "",
    birthday: dayOf("birthday"),
    gender: textIn(values, "gender"),
    hireDate: dayOf("hireDate"),
  });
  return found.find(({ field }) => field === key);
}

export const formRules: FormRules = {
  wrong({ key, rule }, text, values) {
    // A form limits lengths by its inputs, and choices by their options.
    if (rule.type === "text" || rule.type === "department") {
      if (unfitValue(rule, text) !== null) return "sign";
    } else if (rule.type !== "dict" && "wrong" in readValue(rule, text)) return "value";
    const found = contradiction(key, values);
    return found !== undefined && found.warning !== true ? "contradiction" : null;
  },
  warning({ key, rule }, text, values, today) {
    const found = contradiction(key, values);
    if (found?.warning === true) return found.message;
    if (rule.type === "dict") return null;
    const read = readValue(rule, text, today);
    return "value" in read ? (read.note?.message ?? null) : null;
  },
};
