/** What the demo's administrator did with the demo data, for the operation log (docs/server.md#operation-log). */
import { eq, inArray } from "drizzle-orm";
import type { Transaction } from "../../base/database/companies.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { accounts, employees } from "../../base/database/schema/base.ts";
import { bulletins } from "../../base/database/schema/bulletins.ts";
import { dictTypes } from "../../base/database/schema/dictionary.ts";
import { departments } from "../../base/database/schema/employees.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Days back to which the log reaches. */
const DAYS = 14;
/** Employees who got another position, and the one that they had. */
const PROMOTED = 4;
const FORMER_POSITION = "试用期员工";

type Operation = Pick<
  typeof auditRecords.$inferInsert,
  "action" | "entity" | "entityId" | "before" | "after"
> & { readonly at: number };

/** @returns ids of the records that were made */
export async function addDemoOperations(
  tx: Transaction,
  made: {
    readonly companyId: string;
    readonly now: number;
    readonly departments: readonly string[];
    readonly employees: readonly string[];
    readonly dictTypes: readonly string[];
    readonly bulletins: readonly string[];
  },
): Promise<string[]> {
  const { companyId, now } = made;
  const [actor] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.username, "admin"));
  const [parts, people, types, news] = [
    await tx.select().from(departments).where(inArray(departments.id, made.departments)),
    await tx.select().from(employees).where(inArray(employees.id, made.employees)),
    await tx.select().from(dictTypes).where(inArray(dictTypes.id, made.dictTypes)),
    await tx.select().from(bulletins).where(inArray(bulletins.id, made.bulletins)),
  ];
  const since = now - DAYS * DAY;
  const joined = people.filter(({ createdAt }) => createdAt.getTime() > since);
  const operations: Operation[] = [
    ...parts.map(({ id, name, parentId }, n) => ({
      action: "create",
      entity: "department",
      entityId: id,
      after: { parentId, name },
      at: since + n * 60_000,
    })),
    ...types.map(({ id, dictName, dictType, remark }, n) => ({
      action: "create",
      entity: "dict-type",
      entityId: id,
      after: { dictName, dictType, remark },
      at: since + DAY + n * HOUR,
    })),
    ...joined.map(({ id, name, employeeNo, department, departmentId, position, createdAt }) => ({
      action: "create",
      entity: "employee",
      entityId: id,
      after: { name, employeeNo, department, departmentId, position },
      at: createdAt.getTime(),
    })),
    ...joined.slice(0, PROMOTED).map(({ id, position }, n) => ({
      action: "update",
      entity: "employee",
      entityId: id,
      before: { position: FORMER_POSITION },
      after: { position },
      at: now - (n + 1) * 5 * HOUR,
    })),
    ...people.flatMap(({ id, dimissionAt, dimissionReason }) =>
      dimissionAt === null
        ? []
        : [
            {
              action: "dimission",
              entity: "employee",
              entityId: id,
              before: { dimissionAt: null, dimissionReason: null },
              after: { dimissionAt: dimissionAt.toISOString(), dimissionReason },
              at: dimissionAt.getTime(),
            },
          ],
    ),
    ...news.map(({ id, title, type, published, publishedAt }) => ({
      action: "create",
      entity: "bulletin",
      entityId: id,
      after: { title, type, published },
      at: publishedAt?.getTime() ?? now,
    })),
  ];
  const rows = await tx
    .insert(auditRecords)
    .values(
      // The log shows the newest id first.
      operations
        .toSorted((a, b) => a.at - b.at)
        .map(({ at, ...operation }) => ({
          ...operation,
          companyId,
          actorId: actor?.id ?? null,
          createdAt: new Date(Math.min(at, now)),
        })),
    )
    .returning({ id: auditRecords.id });
  return rows.map(({ id }) => id);
}
