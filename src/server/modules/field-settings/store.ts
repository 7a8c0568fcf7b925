/** Which fields a company uses (docs/server.md#field-settings). Whether an own field is required is in `company_fields`, everything else here. */
import { eq, sql } from "drizzle-orm";
import { completeSettings, lockedBy } from "../../../shared/domain/field-settings.ts";
import {
  type FieldSetting,
  type FieldsInUse,
  fieldsInUse,
  type FieldSubject,
  isOwnSetting,
  ownSettingKey,
} from "../../../shared/domain/fields-in-use.ts";
import { AppError } from "../../../shared/errors.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import type { FieldSettings } from "../../../shared/protocol/rest/field-settings.ts";
import { audit } from "../../base/audit/index.ts";
import { companyFields, fieldSettings } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { ownFields } from "./own-fields.ts";

/** The company's own fields, as the settings of this subject know them. */
const ownOf = async (scope: CompanyScope, subject: FieldSubject) =>
  subject === "employee" ? ownFields(scope) : [];

/** The version of a company without a row is 1; each change raises it. */
async function stored(scope: CompanyScope, subject: FieldSubject) {
  const [row] = await scope.rows(fieldSettings, eq(fieldSettings.subject, subject)).limit(1);
  return row === undefined
    ? { version: 1, fields: [] as readonly FieldSetting[] }
    : { version: row.version + 1, fields: row.fields };
}

export async function readFieldSettings(
  scope: CompanyScope,
  subject: FieldSubject,
): Promise<FieldSettings> {
  const { version, fields } = await stored(scope, subject);
  const complete = completeSettings(subject, fields, await ownOf(scope, subject));
  return { version, fields: [...complete] };
}

/** The fields that the company uses, for other modules. */
export const companyFieldsInUse = async (
  scope: CompanyScope,
  subject: FieldSubject,
): Promise<FieldsInUse> => fieldsInUse((await readFieldSettings(scope, subject)).fields);

/** Changes of the settings and of own fields wait for each other until the end of the transaction. */
const lock = (scope: CompanyScope) =>
  scope.sql(
    sql`SELECT pg_advisory_xact_lock(hashtextextended('field-settings', ${scope.companyId}::bigint))`,
  );

const write = (scope: CompanyScope, subject: FieldSubject, fields: readonly FieldSetting[]) =>
  scope.insert(fieldSettings, { subject, fields }).onConflictDoUpdate({
    target: [fieldSettings.companyId, fieldSettings.subject],
    set: { fields: sql`excluded.fields` },
  });

/** An own field came, went or changed, so an edit of the settings that began before is stale. */
export async function raiseFieldSettings(scope: CompanyScope): Promise<void> {
  await lock(scope);
  const { fields } = await stored(scope, "employee");
  await write(scope, "employee", fields);
}

const refuse = (fields: Readonly<Record<string, string>>, en?: string): AppError => {
  const [message = ""] = Object.values(fields);
  return new AppError("request.invalid", {
    message,
    details: { fields, ...(en === undefined ? {} : { en }) },
  });
};

/** @throws AppError request.invalid for a list that is not complete, and for a field that the system needs */
function check(subject: FieldSubject, was: readonly FieldSetting[], given: FieldSettings): void {
  const keys = new Set(given.fields.map(({ key }) => key));
  const isComplete =
    keys.size === given.fields.length &&
    keys.size === was.length &&
    was.every(({ key }) => keys.has(key));
  if (!isComplete) {
    throw refuse({ fields: "须列出全部字段，每个一次" }, "Every field must be listed once");
  }
  for (const one of given.fields) {
    const [zh, en] = lockedBy(subject, one) ?? [];
    if (zh !== undefined) throw refuse({ [one.key]: zh }, en);
  }
}

/** What an audit record says of settings. */
const words = (fields: readonly FieldSetting[]) => ({
  unused: fields.flatMap(({ key, used }) => (used ? [] : [key])),
  required: fields.flatMap(({ key, required }) => (required ? [key] : [])),
  order: fields.map(({ key }) => key),
});

/** @throws AppError request.conflict with both versions for a change of older settings, request.invalid */
export async function saveFieldSettings(
  scope: CompanyScope,
  subject: FieldSubject,
  given: FieldSettings,
): Promise<FieldSettings> {
  await lock(scope);
  const was = await readFieldSettings(scope, subject);
  if (was.version !== given.version) throw staleError(was, given);
  check(subject, was.fields, given);
  const [before, after] = [words(was.fields), words(given.fields)];
  const changed = (["unused", "required", "order"] as const).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  if (changed.length === 0) return was;
  await write(
    scope,
    subject,
    given.fields.map((one) => (isOwnSetting(one) ? { ...one, required: false } : one)),
  );
  if (subject === "employee") await setOwnRequired(scope, given.fields);
  const sideOf = (side: typeof before) =>
    Object.fromEntries(changed.map((key) => [key, side[key]]));
  await audit(scope, {
    action: "update",
    entity: `${subject}-fields`,
    entityId: scope.companyId,
    before: sideOf(before),
    after: sideOf(after),
  });
  return readFieldSettings(scope, subject);
}

async function setOwnRequired(scope: CompanyScope, fields: readonly FieldSetting[]): Promise<void> {
  const wanted = new Map(fields.map(({ key, required }) => [key, required]));
  for (const { key, required } of await ownFields(scope)) {
    const next = wanted.get(ownSettingKey(key)) ?? required;
    if (next !== required) {
      await scope.update(companyFields, { required: next }, eq(companyFields.key, key));
    }
  }
}
