/** Demo data of the companies besides their people: departments, own fields, applications and documents. */
import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "./companies.ts";
import { employees } from "./schema/base.ts";
import { companyFields, departments, membershipApplies } from "./schema/employees.ts";

const DOCUMENTS = ["入职登记表", "安全生产承诺书"];

export async function addDemoStaff(tx: Transaction): Promise<void> {
  const people = await tx
    .select({
      id: employees.id,
      companyId: employees.companyId,
      department: employees.department,
    })
    .from(employees);
  const companyIds = [...new Set(people.map((person) => person.companyId))];
  for (const companyId of companyIds) {
    const staff = people.filter((person) => person.companyId === companyId);
    for (const name of new Set(staff.flatMap(({ department }) => department ?? []))) {
      const [made] = await tx.insert(departments).values({ companyId, name }).returning();
      await tx
        .update(employees)
        .set({ departmentId: made?.id ?? null })
        .where(and(eq(employees.companyId, companyId), eq(employees.department, name)));
    }
    await tx
      .insert(companyFields)
      .values({ companyId, key: "education", label: "学历", type: "dict", dictType: "education" });
    for (const [sort, title] of DOCUMENTS.entries()) {
      await tx.execute(
        sql`INSERT INTO document_kinds (company_id, title, sort) VALUES (${companyId}, ${title}, ${sort})`,
      );
    }
    await tx.execute(
      sql`INSERT INTO inaugural_documents (company_id, employee_id, kind_id, title, status, handed_at, signed_at)
        SELECT k.company_id, e.id, k.id, k.title, 'accepted', now(), now()
        FROM document_kinds k JOIN employees e ON e.company_id = k.company_id
        WHERE k.company_id = ${companyId} AND k.sort = 0`,
    );
    await tx.insert(membershipApplies).values({
      companyId,
      systemName: "sec-web-company-admin",
      name: "求职者",
      phone: "19900000099",
      createdAt: new Date(),
    });
  }
}
