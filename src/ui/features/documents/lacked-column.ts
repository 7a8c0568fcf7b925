/**
 * The column of the list of employees that says which required documents somebody lacks. It is loaded behind the list, whose weight has no
 * space for it.
 */
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import type { Column } from "../../components/list/columns.ts";
import { textOf, texts } from "../../i18n/texts.ts";

const TEXTS = texts({ lacked: ["缺少材料", "Missing documents"] });

export const lackedColumn = (): Column<Row<"employees.list">, never> => ({
  key: "lacked",
  title: textOf(TEXTS, "lacked"),
  render: ({ lacked }) => lacked ?? null,
});
