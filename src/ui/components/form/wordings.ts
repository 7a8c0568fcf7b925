/** What a form says of values that the kind of a field does not take. */
import { texts, useTexts } from "../../i18n/texts.ts";
import type { Wordings } from "./fields.ts";

const TEXTS = texts({
  missing: ["请填写{{label}}", "{{label}} is required"],
  number: ["应为数字", "Should be a number"],
  whole: ["应为整数", "Should be a whole number"],
  between: ["应在 {{min}} 到 {{max}} 之间", "Should be between {{min}} and {{max}}"],
  wholeBetween: [
    "应为 {{min}} 到 {{max}} 的整数",
    "Should be a whole number from {{min}} to {{max}}",
  ],
  least: ["不能小于 {{min}}", "Should be {{min}} or more"],
  most: ["不能大于 {{max}}", "Should be {{max}} or less"],
  order: ["结束日期不能早于开始日期", "The end should not be before the beginning"],
});

export function useWordings(): Wordings {
  const text = useTexts(TEXTS);
  return {
    missing: (label) => text("missing", { label }),
    number: text("number"),
    whole: text("whole"),
    between(min, max, whole) {
      if (min === undefined) return text("most", { max: max ?? "" });
      if (max === undefined) return text("least", { min });
      return text(whole ? "wholeBetween" : "between", { min, max });
    },
    order: text("order"),
  };
}
