/** What is done with many employees at once. */
import type { CoreClient } from "../../../core-client/contracts.ts";
import type { FieldsInUse } from "../../../shared/domain/fields-in-use.ts";
import type { PageCallData, Row } from "../../../shared/protocol/rest/page-calls.ts";
import type { ListBulk } from "../../components/list/declared.ts";
import type { TreeNode } from "../../components/form/kinds.ts";
import { textIn } from "../../components/form/values.ts";
import { textOf } from "../../i18n/texts.ts";
import type { Downloads } from "../../state/downloads.ts";
import { type OwnColumns, saveChosen } from "./export-chosen.ts";
import { leaveFields } from "./leave.ts";
import { LEAVE_TEXTS } from "./leave-texts.ts";

interface Needs {
  readonly department: string;
  readonly departments: readonly TreeNode[];
  /** ms since the epoch by the server's clock */
  readonly now: number;
  readonly core: CoreClient;
  readonly downloads: Downloads;
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
      input: "tree",
      required: true,
      nodes: needs.departments,
    },
  ],
  values: { departmentId: "" },
  run: async ({ id }, values) => {
    const { version } = await needs.get(id);
    const body = { id, version, departmentId: textIn(values, "departmentId") };
    await needs.core.commands.rest.call({ call: "employees.update", body });
  },
});

export const employeeBulk = (needs: Needs): readonly ListBulk<Row<"employees.list">>[] => [
  {
    label: textOf(LEAVE_TEXTS, "exportChosen"),
    call: "employees.export",
    all: (rows) => saveChosen(needs, rows, needs.name, needs),
  },
  ...(needs.inUse.uses("department") ? [settingDepartment(needs)] : []),
  {
    label: textOf(LEAVE_TEXTS, "leaveAll"),
    call: "employees.dimission",
    danger: true,
    question: (count) => textOf(LEAVE_TEXTS, "leaveAllAsk", { count }),
    ...leaveFields((key, ...values) => textOf(LEAVE_TEXTS, key, ...values), needs.now),
    run: ({ id }, values) =>
      needs.core.commands.rest.call({
        call: "employees.dimission",
        body: {
          id,
          dimissionDate: textIn(values, "dimissionDate"),
          reason: textIn(values, "reason"),
        },
      }),
  },
];
