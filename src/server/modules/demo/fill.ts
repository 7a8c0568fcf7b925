/** Adds the demo data to the demo's first company, and removes it (docs/server.md#demo-data). */
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { auditCompany } from "../../base/audit/index.ts";
import type { Transaction } from "../../base/database/companies.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { companies, employees } from "../../base/database/schema/base.ts";
import { bulletins } from "../../base/database/schema/bulletins.ts";
import { callRecords } from "../../base/database/schema/calls.ts";
import { chatMessage, chatRead } from "../../base/database/schema/chat.ts";
import { conferences } from "../../base/database/schema/conferences.ts";
import { type DemoKind, demoRows } from "../../base/database/schema/demo.ts";
import { dictData, dictTypes } from "../../base/database/schema/dictionary.ts";
import {
  qualityBatches,
  qualitySamples,
  qualityStreams,
} from "../../base/database/schema/quality.ts";
import type { Actor } from "../../base/database/tenant.ts";
import { addDemoBulletins } from "./bulletins.ts";
import { addDemoOperations } from "./operations.ts";
import { addDemoPeople } from "./people.ts";
import { addDemoTraffic } from "./traffic.ts";

const DICTIONARIES: readonly (readonly [
  string,
  string,
  readonly (readonly [string, string, string])[],
])[] = [
  [
    "patrol_result",
    "巡检结果",
    [
      ["normal", "正常", "success"],
      ["watch", "需关注", "warning"],
      ["abnormal", "异常", "danger"],
    ],
  ],
  [
    "equipment_state",
    "设备状态",
    [
      ["running", "运行", "success"],
      ["repair", "维修中", "warning"],
      ["stopped", "停用", "default"],
      ["scrapped", "报废", "danger"],
    ],
  ],
];

/** Fills the company that runs the demo. */
export async function addDemoData(
  db: NodePgDatabase,
  options: { readonly now: number; readonly appKey: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [company] = await tx
      .select({ id: companies.id })
      .from(companies)
      .where(eq(companies.platform, true));
    if (company === undefined) return;
    const companyId = company.id;
    const mark = async (kind: DemoKind, ids: readonly string[]): Promise<void> => {
      await tx.insert(demoRows).values(ids.map((id) => ({ companyId, kind, id })));
    };
    const people = await addDemoPeople(tx, companyId, options.now);
    await mark("employee", people.employees);
    await mark("department", people.departments);
    const typeIds: string[] = [];
    for (const [dictType, dictName, entries] of DICTIONARIES) {
      const [type] = await tx
        .insert(dictTypes)
        .values({ companyId, dictType, dictName, remark: "演示数据" })
        .returning({ id: dictTypes.id });
      const rows = await tx
        .insert(dictData)
        .values(
          entries.map(([dictValue, dictLabel, listClass], i) => ({
            companyId,
            dictType,
            dictValue,
            dictLabel,
            listClass,
            dictSort: i + 1,
          })),
        )
        .returning({ id: dictData.id });
      if (type !== undefined) typeIds.push(type.id);
      await mark(
        "dict-data",
        rows.map(({ id }) => id),
      );
    }
    await mark("dict-type", typeIds);
    const bulletinIds = await addDemoBulletins(tx, companyId, options.now);
    await mark("bulletin", bulletinIds);
    const made = { ...people, dictTypes: typeIds, bulletins: bulletinIds };
    await mark("operation", await addDemoOperations(tx, { companyId, now: options.now, ...made }));
    const traffic = await addDemoTraffic(tx, { ...options, companyId });
    await mark("call", traffic.calls);
    await mark("quality", traffic.quality);
    await mark("message", traffic.messages);
  });
}

/**
 * Removes what came with the demo and is not in use: employees with an account and departments with other people stay.
 *
 * @returns the number of removed rows
 */
export function removeDemoData(
  db: NodePgDatabase,
  companyId: string,
  actor: Actor,
): Promise<number> {
  return db.transaction(async (tx) => {
    const marked = (kind: DemoKind): SQL =>
      sql`(SELECT id FROM demo_rows WHERE company_id = ${companyId}::bigint AND kind = ${kind})`;
    const ids = (kind: DemoKind): SQL =>
      sql`(SELECT id::bigint FROM demo_rows WHERE company_id = ${companyId}::bigint AND kind = ${kind})`;
    const counts: Record<string, number> = {};
    const note = (kind: DemoKind, rowCount: number | null): void => {
      counts[kind] = (counts[kind] ?? 0) + (rowCount ?? 0);
    };
    await tx.delete(chatRead).where(sql`up_to IN ${ids("message")}`);
    note(
      "operation",
      (await tx.delete(auditRecords).where(sql`id IN ${ids("operation")}`)).rowCount,
    );
    note("message", (await tx.delete(chatMessage).where(sql`id IN ${ids("message")}`)).rowCount);
    note("bulletin", (await tx.delete(bulletins).where(sql`id IN ${ids("bulletin")}`)).rowCount);
    await tx
      .delete(conferences)
      .where(sql`id IN (SELECT channel FROM call_records WHERE id IN ${ids("call")} AND type = 2)`);
    await tx
      .delete(qualityStreams)
      .where(
        sql`confr_id IN (SELECT channel FROM call_records WHERE id IN ${ids("call")} AND type = 1)`,
      );
    note("call", (await tx.delete(callRecords).where(sql`id IN ${ids("call")}`)).rowCount);
    await tx.delete(qualitySamples).where(sql`batch IN ${marked("quality")}`);
    note(
      "quality",
      (await tx.delete(qualityBatches).where(sql`batch IN ${marked("quality")}`)).rowCount,
    );
    note(
      "employee",
      (
        await tx
          .delete(employees)
          .where(
            and(
              eq(employees.companyId, companyId),
              isNull(employees.accountId),
              sql`id IN ${ids("employee")}`,
            ),
          )
      ).rowCount,
    );
    note("department", await removeDepartments(tx, companyId, ids("department")));
    const own = (table: typeof dictData | typeof dictTypes) => eq(table.companyId, companyId);
    note(
      "dict-data",
      (await tx.delete(dictData).where(and(own(dictData), sql`id IN ${ids("dict-data")}`)))
        .rowCount,
    );
    note(
      "dict-type",
      (
        await tx.delete(dictTypes).where(
          and(
            own(dictTypes),
            sql`id IN ${ids("dict-type")}`,
            sql`NOT EXISTS (SELECT 1 FROM dict_data d
                WHERE d.dict_type = dict_types.dict_type AND d.company_id = ${companyId}::bigint)`,
          ),
        )
      ).rowCount,
    );
    await tx.delete(demoRows).where(inArray(demoRows.companyId, [companyId]));
    await auditCompany(tx, companyId, actor, {
      action: "delete",
      entity: "demo-data",
      entityId: companyId,
      before: counts,
    });
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  });
}

/** Removes departments from the leaves up, skipping those still in use. */
async function removeDepartments(tx: Transaction, companyId: string, ids: SQL): Promise<number> {
  let sum = 0;
  for (;;) {
    const { rowCount } = await tx.execute(sql`DELETE FROM departments d
      WHERE d.company_id = ${companyId}::bigint AND d.id IN ${ids}
        AND NOT EXISTS (SELECT 1 FROM departments c WHERE c.parent_id = d.id)
        AND NOT EXISTS (SELECT 1 FROM employees e WHERE e.department_id = d.id)`);
    if ((rowCount ?? 0) === 0) return sum;
    sum += rowCount ?? 0;
  }
}
