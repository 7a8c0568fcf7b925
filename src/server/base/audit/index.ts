/**
 * Audit records: who changed which row and how. A record is written in the transaction of its change, so neither exists without
 * the other.
 */
import { type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { auditRecords } from "../database/schema/audit.ts";
import type { Actor, CompanyScope } from "../database/tenant.ts";

export interface Change {
  /** `create`, `update`, `delete`, or a term of the domain (`dimission`, `bind`). */
  readonly action: string;
  /** The changed table or thing: `employee`, `role-menus`. */
  readonly entity: string;
  readonly entityId: string;
  /** The changed columns with old and new values, never secrets; see `withoutSecrets`. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

const SECRET = /pass(word|wd)?|secret|token|hash|credential|smscode/i;

/** Lone surrogates and NUL are valid in JSON but not in PostgreSQL's jsonb. They become the replacement character. */
const UNSAYABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
function sayable(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(UNSAYABLE, "\ufffd");
  if (Array.isArray(value)) return value.map(sayable);
  // Dates and similar objects have their own JSON form.
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [String(sayable(key)), sayable(inner)]),
  );
}

/** Keeps the names of fields that look like secrets, but hides their values. */
export function withoutSecrets(
  values: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> | null {
  if (values === undefined) return null;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, SECRET.test(key) ? "•••" : sayable(value)]),
  );
}

const rowOf = (actor: Actor, change: Change) => ({
  actorId: actor?.accountId ?? null,
  action: change.action,
  entity: change.entity,
  entityId: change.entityId,
  before: withoutSecrets(change.before),
  after: withoutSecrets(change.after),
});

/** Records changes of company data, all in one statement. */
export async function audit(scope: CompanyScope, ...changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await scope.insert(
    auditRecords,
    changes.map((change) => rowOf(scope.actor, change)),
  );
}

/** The statement that records a change of company data, for one that is part of a larger statement. */
export function auditing(scope: CompanyScope, change: Change): SQL {
  const { actorId, action, entity, entityId, before, after } = rowOf(scope.actor, change);
  const json = (value: object | null): SQL =>
    sql`${value === null ? null : JSON.stringify(value)}::jsonb`;
  return sql`INSERT INTO audit_records (company_id, actor_id, action, entity, entity_id, before, after)
    VALUES (${scope.companyId}::bigint, ${actorId}::bigint, ${action}, ${entity}, ${entityId}, ${json(before)}, ${json(after)})`;
}

/**
 * Records changes of a company's data that are made outside of its scope, because they also make accounts.
 *
 * @param tx the transaction of the change
 */
export async function auditCompany(
  tx: Pick<NodePgDatabase, "insert">,
  companyId: string,
  actor: Actor,
  ...changes: readonly Change[]
): Promise<void> {
  if (changes.length === 0) return;
  await tx
    .insert(auditRecords)
    .values(changes.map((change) => ({ ...rowOf(actor, change), companyId })));
}

/**
 * Records changes of data that belong to no company.
 *
 * @param tx the transaction of the change
 */
export async function auditPlatform(
  tx: Pick<NodePgDatabase, "insert">,
  actor: Actor,
  ...changes: readonly Change[]
): Promise<void> {
  if (changes.length === 0) return;
  await tx.insert(auditRecords).values(changes.map((change) => rowOf(actor, change)));
}
