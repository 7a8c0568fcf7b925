/** What is done with many employees at once. */
import type { CoreClient } from "../../../core-client/contracts.ts";
import type { FieldsInUse } from "../../../shared/domain/fields-in-use.ts";
import type { PageCallData, Row } from "../../../shared/protocol/rest/page-calls.ts";
import type { ListBulk } from "../../components/list/declared.ts";
import type { FormOption } from "../../components/form/kinds.ts";
import { textOf } from "../../i18n/texts.ts";
import { type OwnColumns, saveChosen } from "./export-chosen.ts";
import { leaveFields } from "./leave.ts";
import { LEAVE_TEXTS } from "./leave-texts.ts";

interface Needs {
  readonly department: string;
  readonly choices: readonly FormOption[];
  /** ms since the epoch by the server's clock */
  readonly now: number;
  readonly core: CoreClient;
  readonly get: (id: string) => Promise<PageCallData<"employees.get">>;
  /** What a workbook of chosen employees is called. */
  readonly name: string;
  /** The company's own fields. */
  readonly own: OwnColumns;
  /** The fields that the company uses. */
  readonly inUse: FieldsInUse;
}

const settingDepartment = (needs: Needs): ListBulk<Row<"employees.list">> => ({
  label: textOf(LEAVE_TEXTS, "setDepartment"),
  call: "employees.update",
  question: (count) => textOf(LEAVE_TEXTS, "setDepartmentAsk", { count }),
  fields: [
    {
      key: "departmentId",
      label: needs.department,
      input: "select",
      search: true,
      required: true,
      options: needs.choices,
    },
  ],
  values: { departmentId: "" },
  run: async ({ id }, { departmentId = "" }) => {
    const { version } = await needs.get(id);
    const body = { id, version, departmentId };
    await needs.core.commands.rest.call({ call: "employees.update", body });
  },
});

export const employeeBulk = (needs: Needs): readonly ListBulk<Row<"employees.list">>[] => [
  {
    label: textOf(LEAVE_TEXTS, "exportChosen"),
    call: "employees.export",
    all: (rows) => saveChosen(needs.core, rows, needs.name, needs),
  },
  ...(needs.inUse.uses("department") ? [settingDepartment(needs)] : []),
  {
    label: textOf(LEAVE_TEXTS, "leaveAll"),
    call: "employees.dimission",
    danger: true,
    question: (count) => textOf(LEAVE_TEXTS, "leaveAllAsk", { count }),
    ...leaveFields((key, ...values) => textOf(LEAVE_TEXTS, key, ...values), needs.now),
    run: ({ id }, { dimissionDate = "", reason = "" }) =>
      needs.core.commands.rest.call({
        call: "employees.dimission",
        body: { id, dimissionDate, reason },
      }),
  },
];
