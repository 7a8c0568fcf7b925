/** The employees of a department and of all departments below it, as a condition on `employees e`. */
import { type SQL, sql } from "drizzle-orm";
import { isId } from "../../base/database/ids.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

/**
 * The condition names the departments by their ids: a count that is remembered for it (page.ts) does not outlive a change of the tree.
 *
 * @param id one that is no department of the company has no employees
 */
export async function inDepartment(scope: CompanyScope, id: string): Promise<SQL> {
  if (!isId(id)) return sql`false`;
  const rows = await scope.sql<{ id: string }>(sql`
    WITH RECURSIVE below (id) AS (
      SELECT id FROM departments WHERE company_id = ${scope.companyId}::bigint AND id = ${id}::bigint
      UNION
      SELECT d.id FROM departments d JOIN below b ON d.parent_id = b.id
        WHERE d.company_id = ${scope.companyId}::bigint)
    SELECT id::text AS id FROM below ORDER BY below.id`);
  return sql`e.department_id = ANY(${`{${rows.map((row) => row.id).join(",")}}`}::bigint[])`;
}
