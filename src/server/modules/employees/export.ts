/** Exports employees as .xlsx: the chosen columns, dictionary values as labels, fetched in pieces. */
import { sql, type SQL } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import type { FilterGroup } from "../../../shared/protocol/rest/filter.ts";
import { isId } from "../../base/database/ids.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { type CellValue, type Column, inPieces } from "../../base/xlsx/index.ts";
import { lackedDocuments } from "../documents/list.ts";
import { inDepartment } from "./below.ts";
import { ownFields } from "../field-settings/own-fields.ts";
import { companyFieldsInUse } from "../field-settings/store.ts";
import { type DetailRow, type Field, fieldsWith } from "./fields.ts";
import { compileFilter } from "./filter.ts";
import type { EmployeePages } from "./page.ts";

const PIECE = 1000;
/** The column of required documents that are missing. The query of employees does not read it; it is filled afterwards. */
const LACKED: Field = { label: "缺少材料", type: "text", value: sql`NULL` };

export interface ExportWanted {
  readonly gone: boolean;
  readonly ids: readonly string[];
  readonly columns: readonly { readonly field: string; readonly title?: string | undefined }[];
  readonly keyword?: string | undefined;
  readonly filter?: FilterGroup | undefined;
  /** Employees of this department, and of those below it. */
  readonly departmentId?: string | undefined;
}

/** @param run runs each piece in a separate transaction */
export async function exportEmployees(
  run: <R>(work: (scope: CompanyScope) => Promise<R>) => Promise<R>,
  pages: EmployeePages,
  wanted: ExportWanted,
  now: () => number,
): Promise<{ columns: Column<DetailRow>[]; rows: AsyncGenerator<DetailRow> }> {
  const { gone, ids, keyword, departmentId } = wanted;
  const { fields, words, inUse } = await run(async (scope) => {
    const known: Record<string, Field> = {
      ...fieldsWith(await ownFields(scope)),
      ...(gone ? {} : { lacked: LACKED }),
    };
    return {
      fields: known,
      words: await dictWords(scope, Object.values(known)),
      inUse: await companyFieldsInUse(scope, "employee"),
    };
  });
  const all = Object.keys(fields)
    .filter((field) => gone || !field.startsWith("dimission"))
    .map((field) => ({ field, title: undefined }));
  // Columns that the caller names stay in the caller's order.
  const named = wanted.columns.filter(({ field }) => inUse.uses(field));
  const chosen = named.length > 0 ? named : inUse.inOrder(all, ({ field }) => field);
  const columns = chosen.map(({ field, title }, i) => {
    const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (known === undefined) {
      throw new AppError("request.invalid", {
        details: { fields: { [`columns.${i}.field`]: "没有这个字段" } },
      });
    }
    return columnOf(field, title ?? known.label, known, words);
  });
  const parts: SQL[] = [];
  if (wanted.filter !== undefined) {
    const compiled = compileFilter(wanted.filter, fields, { gone });
    if (compiled !== undefined) parts.push(compiled);
  }
  if (departmentId !== undefined) {
    parts.push(await run((scope) => inDepartment(scope, departmentId)));
  }
  if (ids.length > 0) {
    const good = ids.filter(isId);
    parts.push(sql`e.id = ANY(${`{${good.join(",")}}`}::bigint[])`);
  }
  const where = parts.length === 0 ? undefined : sql.join(parts, sql` AND `);
  const lacks = chosen.some(({ field }) => field === "lacked");
  const rows = inPieces(PIECE, (last: DetailRow | null, limit) =>
    run(async (scope) => {
      const found = await pages.after(scope, { gone, keyword, where }, last?.id ?? "0", limit);
      if (!lacks) return found;
      const ids = found.map(({ id }) => id);
      const lacked = await lackedDocuments(scope, ids, now());
      return found.map((row): DetailRow => ({ ...row, lacked: lacked.get(row.id) ?? null }));
    }),
  );
  return { columns, rows };
}

function columnOf(
  field: string,
  title: string,
  { dictType }: Field,
  words: ReadonlyMap<string, string>,
): Column<DetailRow> {
  const raw = (row: DetailRow): CellValue => {
    if (field.startsWith("custom.")) return row.custom[field.slice("custom.".length)];
    if (field === "createTime") return new Date(row.createTime);
    return row[field] as CellValue;
  };
  return {
    title,
    value:
      dictType === undefined
        ? raw
        : (row) => {
            const value = raw(row);
            return words.get(`${dictType}/${String(value)}`) ?? value;
          },
    width: field === "idNumber" || field === "email" ? 24 : 16,
  };
}

/** Labels by `<type>/<value>`. The company's own entries override the platform's. */
async function dictWords(
  scope: CompanyScope,
  fields: readonly Field[],
): Promise<ReadonlyMap<string, string>> {
  const types = [...new Set(fields.flatMap(({ dictType }) => dictType ?? []))];
  const list = sql.join(
    types.map((type) => sql`${type}`),
    sql`, `,
  );
  const rows = await scope.sql<{ key: string; label: string }>(sql`
    SELECT dict_type || '/' || dict_value AS key, dict_label AS label FROM dict_data
    WHERE dict_type IN (${list}) AND (company_id IS NULL OR company_id = ${scope.companyId}::bigint)
    ORDER BY company_id NULLS FIRST`);
  return new Map(rows.map(({ key, label }) => [key, label]));
}
