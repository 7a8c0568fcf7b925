/** For tests: a file of the kinds that staff bring, through the check to the rows that are sent. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportContext } from "../../src/shared/protocol/rest/imports.ts";
import { importInMemory, nothingTaken } from "../../src/workers/import/api.harness.ts";

const CONTEXT: ImportContext = {
  supplierId: "1",
  company: "华安物业服务有限公司",
  ownFields: [],
  departments: [
    { id: "1", name: "信息技术部" },
    { id: "2", name: "安全管理部" },
    { id: "3", name: "临时人员" },
    { id: "4", name: "安全管理部/巡逻队" },
  ],
  dictionaries: {
    gender: [
      { value: "1", label: "男" },
      { value: "2", label: "女" },
    ],
    employee_status: [{ value: "on", label: "在职" }],
    certificate_type: [{ value: "guard", label: "保安员证" }],
  },
};
const TODAY = Date.UTC(2026, 2, 15);
const quiet = (): void => undefined;

async function check(bytes: Uint8Array<ArrayBuffer>, name: string) {
  const { api, chunks } = importInMemory({ now: TODAY });
  await api.open(new Blob([bytes]), name);
  const { headers, warnings } = await api.load({}, quiet);
  const { mapping, filled } = await api.suggest(CONTEXT, null);
  const checked = await api.check(
    { mapping, mode: "insert", context: CONTEXT },
    nothingTaken,
    quiet,
  );
  const { rows } = await api.window({ view: "all", from: 0, count: 500 });
  /** `row field rule`, with ! for an error. */
  const found = rows.flatMap(({ row, issues }) =>
    issues.map(
      ({ column, rule, warning }) =>
        `${row} ${mapping[column]} ${warning === true ? "" : "!"}${rule}`,
    ),
  );
  const messages = rows.flatMap(({ issues }) => issues.map(({ message }) => message));
  /** Per row that is sent: its values by field. */
  const sent = async (): Promise<Record<string, string>[]> => {
    await api.stage({ fileName: name, isInvite: false, accountId: "7" }, quiet);
    return chunks().flatMap((chunk) =>
      chunk.rows.map((_, i) =>
        Object.fromEntries(
          chunk.columns.flatMap(({ field, dict, idx }) => {
            const text = dict[idx[i] ?? -1];
            return text === undefined ? [] : [[field, text]];
          }),
        ),
      ),
    );
  };
  return { api, checked, rows, headers, warnings, mapping, filled, found, messages, sent };
}
/** A file of tests/fixtures/import-cases. */
export const file = (name: string) =>
  check(
    new Uint8Array(readFileSync(join(import.meta.dirname, "../fixtures/import-cases", name))),
    name,
  );
/** A file of these lines. */
export const csv = (...lines: string[]) =>
  check(new Uint8Array(Buffer.from(lines.join("\n"), "utf8")), "名单.csv");
/** The values of a field, null where a row has none. */
export const column = (rows: readonly Record<string, string>[], field: string) =>
  rows.map((row) => row[field] ?? null);
