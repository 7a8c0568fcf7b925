/** The company's own fields of employees: what they are called and what they take. Values are in `employees.custom`. */
import { randomInt } from "node:crypto";
import { eq, type SQL, sql } from "drizzle-orm";
import { employeeFields } from "../../../shared/domain/employee-fields.ts";
import { AppError } from "../../../shared/errors.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import { OWN_FIELDS_MOST } from "../../../shared/domain/own-fields.ts";
import type { OwnFieldRow } from "../../../shared/protocol/rest/own-fields.ts";
import { audit } from "../../base/audit/index.ts";
import { anywhere, changes, type Given } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import { companyFields } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { raiseFieldSettings } from "../field-settings/store.ts";

const COLUMNS = sql`f.id::text AS id, f.key, f.label, f.type, f.dict_type AS "dictType", f.required, f.sort, f.version`;
const KEY_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const KEY_LENGTH = 12;

const newKey = (): string =>
  `f${Array.from({ length: KEY_LENGTH }, () => KEY_LETTERS.charAt(randomInt(KEY_LETTERS.length))).join("")}`;

const wrong = (
  code: "request.conflict" | "request.invalid",
  field: string,
  message: string,
): AppError => new AppError(code, { message, details: { fields: { [field]: message } } });
const taken = (label: string): AppError =>
  wrong("request.conflict", "label", `字段“${label}”已存在`);

/** A file's column could not be told apart from the common one of that name. */
const isCommon = (label: string): boolean =>
  employeeFields.some(({ zh, en }) => [zh, en.toLowerCase()].includes(label.toLowerCase()));

/**
 * Two fields of one name could not be told apart in a file. No index decides, because older rows may have equal names; so changes of a
 * company's fields wait for each other.
 *
 * @throws AppError request.conflict
 */
async function checkLabel(scope: CompanyScope, label: string): Promise<void> {
  if (isCommon(label)) throw taken(label);
  await scope.sql(
    sql`SELECT pg_advisory_xact_lock(hashtextextended('own-fields', ${scope.companyId}::bigint))`,
  );
  const [same] = await scope.rows(companyFields, eq(companyFields.label, label)).limit(1).execute();
  if (same !== undefined) throw taken(label);
}

export async function listOwnFields(
  scope: CompanyScope,
  request: {
    readonly cursor: number;
    readonly limit: number;
    readonly searchCount: boolean;
    readonly keyword?: string | undefined;
    readonly order: SQL;
  },
) {
  const { cursor, limit, searchCount, keyword = "", order } = request;
  const where = sql`f.company_id = ${scope.companyId}::bigint
    AND (${keyword}::text = '' OR f.label ILIKE ${anywhere(keyword)})`;
  const records = await scope.sql<OwnFieldRow>(
    sql`SELECT ${COLUMNS} FROM company_fields f WHERE ${where}
      ORDER BY ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
  );
  const [counted] = searchCount
    ? await scope.sql<{ total: number }>(
        sql`SELECT count(*)::int AS total FROM company_fields f WHERE ${where}`,
      )
    : [];
  return { records, total: counted?.total ?? 0, cursor, limit };
}

/** @throws AppError request.not-found */
async function byId(scope: CompanyScope, id: string, lock = false): Promise<OwnFieldRow> {
  if (!isId(id)) throw new AppError("request.not-found");
  const [row] = await scope.sql<OwnFieldRow>(
    sql`SELECT ${COLUMNS} FROM company_fields f
      WHERE f.company_id = ${scope.companyId}::bigint AND f.id = ${id}::bigint
      ${lock ? sql`FOR UPDATE` : sql``}`,
  );
  if (row === undefined) throw new AppError("request.not-found");
  return row;
}

type NewField = Pick<OwnFieldRow, "label" | "type" | "dictType" | "required" | "sort">;

/** @throws AppError request.conflict for a name that is taken or too many fields, request.invalid for an unknown dictionary */
export async function createOwnField(scope: CompanyScope, given: NewField): Promise<OwnFieldRow> {
  const { label, type, dictType } = given;
  await checkLabel(scope, label);
  if ((type === "dict") !== (dictType !== null)) {
    throw wrong(
      "request.invalid",
      "dictType",
      type === "dict" ? "请选择字典" : "只有字典类型的字段才能选择字典",
    );
  }
  const company = sql`company_id = ${scope.companyId}::bigint`;
  const [facts] = await scope.sql<{ fields: number; known: boolean }>(
    sql`SELECT (SELECT count(*)::int FROM company_fields WHERE ${company}) AS fields,
      EXISTS (SELECT FROM dict_data WHERE dict_type = ${dictType}::text
        AND (company_id IS NULL OR ${company})) AS known`,
  );
  if (dictType !== null && facts?.known !== true) {
    throw wrong("request.invalid", "dictType", "没有这个字典，或字典没有数据");
  }
  if ((facts?.fields ?? 0) >= OWN_FIELDS_MOST) {
    throw new AppError("request.conflict", { message: `最多 ${OWN_FIELDS_MOST} 个字段` });
  }
  const [made] = await scope
    .insert(companyFields, { ...given, key: newKey() })
    .returning({ id: companyFields.id });
  const id = made?.id ?? "";
  await raiseFieldSettings(scope);
  await audit(scope, { action: "create", entity: "own-field", entityId: id, after: given });
  return byId(scope, id);
}

/** @throws AppError request.conflict with both versions for a change of an older one, or for a name that is taken */
export async function updateOwnField(
  scope: CompanyScope,
  {
    id,
    version,
    ...given
  }: { readonly id: string; readonly version: number } & Given<
    Pick<OwnFieldRow, "label" | "required" | "sort">
  >,
): Promise<OwnFieldRow> {
  const was = await byId(scope, id, true);
  if (was.version !== version) throw staleError(was, given);
  const change = changes(was, given);
  if (change === null) return was;
  const { label = was.label } = given;
  if (label !== was.label) await checkLabel(scope, label);
  await scope.update(companyFields, change.after, eq(companyFields.id, id));
  await raiseFieldSettings(scope);
  await audit(scope, { action: "update", entity: "own-field", entityId: id, ...change });
  return byId(scope, id);
}

/** Removes the field, and what employees have in it. */
export async function deleteOwnField(scope: CompanyScope, id: string): Promise<void> {
  const { key, label, type } = await byId(scope, id, true);
  const [emptied] = await scope.sql<{ count: number }>(
    sql`WITH emptied AS (
        UPDATE employees SET custom = custom - ${key}::text
        WHERE company_id = ${scope.companyId}::bigint AND custom ? ${key}::text RETURNING 1
      ) SELECT count(*)::int AS count FROM emptied`,
  );
  await scope.remove(companyFields, eq(companyFields.id, id));
  await raiseFieldSettings(scope);
  await audit(scope, {
    action: "delete",
    entity: "own-field",
    entityId: id,
    before: { label, type, employees: emptied?.count ?? 0 },
  });
}
