/** The record of each change: who did what to which row, written in the transaction of the change, so that neither is without the other. */
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { auditRecords } from "../db/schema/audit.ts";
import type { Actor, CompanyScope } from "../db/tenant.ts";

export interface Change {
  /** `create`, `update`, `delete`, or the domain's word (`dimission`, `bind`). */
  readonly action: string;
  /** The table or thing: `employee`, `role-menus`. */
  readonly entity: string;
  readonly entityId: string;
  /** Columns that changed, as they were and as they are. Secrets never; see `withoutSecrets`. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

const SECRET = /pass(word|wd)?|secret|token|hash|credential|smscode/i;

/** JSON may say what PostgreSQL's jsonb does not take: half of a surrogate pair, a NUL. They become the replacement sign. */
const UNSAYABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
function sayable(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(UNSAYABLE, "\ufffd");
  if (Array.isArray(value)) return value.map(sayable);
  // a date and the like say themselves how they stand in JSON
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [String(sayable(key)), sayable(inner)]),
  );
}

/** Names that hint at a secret are kept, their values are not. */
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

/** Records changes of company data; many in one statement. */
export async function audit(scope: CompanyScope, ...changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await scope.insert(
    auditRecords,
    changes.map((change) => rowOf(scope.actor, change)),
  );
}

/** Records changes of what belongs to no company. @param tx the transaction of the change */
export async function auditPlatform(
  tx: Pick<NodePgDatabase, "insert">,
  actor: Actor,
  ...changes: readonly Change[]
): Promise<void> {
  if (changes.length === 0) return;
  await tx.insert(auditRecords).values(changes.map((change) => rowOf(actor, change)));
}
