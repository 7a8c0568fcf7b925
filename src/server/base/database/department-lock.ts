/** The lock under which the departments of a company change. */
import { sql } from "drizzle-orm";
import type { CompanyScope } from "./tenant.ts";

/** First key of the advisory lock: any number that no other code locks with. The second key is derived from the company. */
const LOCK = 7_213_061;

/**
 * Changes of one company's departments run one after the other, so that none makes a circle of what another saw. Work that may
 * empty the head of a department by a change of an employee locks too, and does so first: otherwise each could wait for the other's row.
 */
export const lockDepartments = (scope: CompanyScope): Promise<unknown> =>
  scope.sql(
    sql`SELECT pg_advisory_xact_lock(${LOCK}::int, (${scope.companyId}::bigint % 2147483647)::int)`,
  );
