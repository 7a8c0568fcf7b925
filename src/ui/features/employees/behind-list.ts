/** What the list of employees needs once it is shown, and loads behind itself. */
export { lackedColumn } from "../documents/lacked-column.ts";
export { employeeBulk } from "./bulk.ts";
export { formRules } from "./form-rules.ts";
