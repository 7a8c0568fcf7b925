/** Inaugural documents that are asked of the people of a department which becomes one with another (docs/server.md#inaugural-documents). */
import { sql } from "drizzle-orm";
import type { CompanyScope } from "../../base/database/tenant.ts";

/** What is asked of the people of a department is asked of those of the one that it becomes. */
export const moveAskedDocuments = (
  scope: CompanyScope,
  id: string,
  intoId: string,
): Promise<unknown> =>
  scope.sql(sql`
    UPDATE document_kinds SET department_ids =
        array_append(array_remove(array_remove(department_ids, ${id}::bigint), ${intoId}::bigint), ${intoId}::bigint)
      WHERE company_id = ${scope.companyId}::bigint AND ${id}::bigint = ANY (department_ids)`);
