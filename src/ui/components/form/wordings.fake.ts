/** Words of a form for tests. */
import type { Wordings } from "./fields.ts";

export const WORDS: Wordings = {
  missing: () => "missing",
  number: "number",
  whole: "whole",
  between: (min, max, whole) => `${whole ? "whole " : ""}between ${min} and ${max}`,
  order: "order",
};
