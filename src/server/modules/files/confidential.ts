/** Who may read a file that belongs to an inaugural document (docs/server.md#inaugural-documents). */
import { sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { DOCUMENT_READERS } from "../../../shared/protocol/rest/documents.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { holds } from "../../base/http/route.ts";
import type { Principal } from "../../base/module.ts";

/** @throws AppError request.not-found for everybody but the employee and those who may read the documents of all */
export async function refuseReader(
  scope: CompanyScope,
  principal: Principal,
  documentId: string,
): Promise<void> {
  if (holds(principal, ...DOCUMENT_READERS)) return;
  const [own] = await scope.sql(sql`
    SELECT FROM inaugural_documents d JOIN employees e ON e.id = d.employee_id
    WHERE d.company_id = ${scope.companyId}::bigint AND d.id = ${documentId}::bigint
      AND e.account_id = ${principal.accountId}::bigint AND e.dimission_at IS NULL`);
  if (own === undefined) throw new AppError("request.not-found");
}
