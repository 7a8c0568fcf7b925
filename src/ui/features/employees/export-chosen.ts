/** The workbook of chosen employees, which the server writes with all of their fields. */
import type { CoreClient } from "../../../core-client/contracts.ts";
import { employeeFields } from "../../../shared/domain/employee-fields.ts";
import type { FieldsInUse } from "../../../shared/domain/fields-in-use.ts";
import type { DownloadInput } from "../../../shared/protocol/rest/page-calls.ts";
import { currentLanguage } from "../../i18n/index.ts";
import type { Downloads } from "../../state/downloads.ts";
import { saveWorkbook } from "../../state/useWorkbook.ts";

/** Characters of ids that go into the address. Proxies refuse an address of more than 8 kB. */
const IDS_IN_ADDRESS = 4000;

export type OwnColumns = readonly { readonly key: string; readonly label: string }[];

interface Columns {
  readonly own: OwnColumns;
  readonly inUse: FieldsInUse;
}

/** The fields with their labels in English. The server has the Chinese ones, so that it is asked for no columns then. */
const columnsOf = ({ own, inUse }: Columns) =>
  inUse.inOrder(everyColumn(own), ({ field }) => field);
const everyColumn = (own: OwnColumns) => [
  ...employeeFields
    // the name of the department stands for it
    .filter(({ rule }) => rule.type !== "departmentId")
    .map(({ key, en }) => ({ field: key, title: en })),
  ...own.map(({ key, label }) => ({ field: `custom.${key}`, title: label })),
];

/** Exported for its test. */
export function exportOf(
  ids: readonly string[],
  fileName: string,
  { language, ...columns }: Columns & { readonly language: "zh" | "en" },
): DownloadInput<"employees.export"> {
  const dataIds = ids.join(",");
  const fits = dataIds.length <= IDS_IN_ADDRESS;
  return {
    call: "employees.export",
    params: { a: "employed", b: fileName },
    query: fits ? { dataIds } : {},
    body: {
      ...(fits ? {} : { dataIds: [...ids] }),
      ...(language === "en" ? { columns: columnsOf(columns) } : {}),
    },
  };
}

export const saveChosen = (
  services: { readonly core: CoreClient; readonly downloads: Downloads },
  rows: readonly { readonly id: string }[],
  name: string,
  { own, inUse }: Columns,
): Promise<void> =>
  saveWorkbook(services, name, (fileName) =>
    exportOf(
      rows.map(({ id }) => id),
      fileName,
      { own, inUse, language: currentLanguage() },
    ),
  );
