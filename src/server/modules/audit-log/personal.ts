/**
 * What the operation log shows of employees to a person who may not see their data: what the list of employees shows, with masked
 * numbers. That something else was changed can be seen, but not from what to what.
 */
import { maskIdNumber, maskPhone } from "../../../shared/domain/format.ts";
import { isEmpty } from "../../../shared/domain/validate.ts";
import {
  type AuditEntry,
  type AuditValues,
  changedEmployees,
} from "../../../shared/domain/audit-refs.ts";

/** Shown to everybody who belongs to the company, or about the membership and not the person. */
const OPEN: ReadonlySet<string> = new Set([
  "accountId",
  "department",
  "departmentId",
  "dimissionAt",
  "name",
  "position",
  "roleIds",
  "username",
]);
const MASKS: Readonly<Record<string, (text: string) => string>> = {
  phone: maskPhone,
  idNumber: maskIdNumber,
};
const HIDDEN = "•••";

const masked = (values: AuditValues): AuditValues =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (OPEN.has(key) || isEmpty(value)) return [key, value];
      const mask = Object.hasOwn(MASKS, key) ? MASKS[key] : undefined;
      return [key, mask === undefined || typeof value !== "string" ? HIDDEN : mask(value)];
    }),
  );

const maskedChanges = (values: AuditValues | null): AuditValues | null =>
  values === null || !("changed" in values)
    ? values
    : { ...values, changed: changedEmployees(values).map(([id, one]) => [id, masked(one)]) };

export function withoutPersonal<R extends AuditEntry>(record: R): R {
  const { entity, before, after } = record;
  const each = (hide: (values: AuditValues | null) => AuditValues | null): R => ({
    ...record,
    before: hide(before),
    after: hide(after),
  });
  if (entity === "employee") return each((values) => (values === null ? null : masked(values)));
  return entity === "import-chunk" ? each(maskedChanges) : record;
}
