/** Cancels the open imports of people who may not import any more (docs/server.md#end-of-access). */
import { sql } from "drizzle-orm";
import { ALL_PERMISSIONS } from "../../../shared/protocol/rest/call.ts";
import { importChunkCall } from "../../../shared/protocol/rest/imports.ts";
import { ACCESS_END, accessEndSchema } from "../../base/cluster/access.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { OwnMessages } from "../../base/cluster/own-messages.ts";
import type { ServerDeps } from "../../base/module.ts";
import { cancelJob } from "./jobs.ts";

export interface EndForbidden {
  /** Begins to listen. The process in which the access ended does the work. */
  start(): void;
  /** Idempotent. Waits for running work. */
  stop(): Promise<void>;
}

export function createEndForbidden({
  db,
  tenants,
  bus,
  clock,
  log,
  own,
}: Pick<ServerDeps, "db" | "tenants" | "bus" | "clock" | "log"> & {
  readonly own: Pick<OwnMessages, "onPublished">;
}): EndForbidden {
  const mayImport = [...(importChunkCall.access?.permissions ?? []), ALL_PERMISSIONS];
  let stopListening = (): void => undefined;
  let working: Promise<void> = Promise.resolve();

  /** @param of the company or the account that the end of access concerns */
  async function cancel(of: { readonly supplierId?: string; readonly accountId?: string }) {
    const { supplierId = null, accountId = null } = of;
    const { rows } = await db.execute<{ id: string; companyId: string }>(sql`
      SELECT j.id::text AS id, j.company_id::text AS "companyId" FROM import_jobs j
      WHERE j.state = 'open' AND j.created_by IS NOT NULL
        AND (${supplierId}::bigint IS NULL OR j.company_id = ${supplierId}::bigint)
        AND (${accountId}::bigint IS NULL OR j.created_by = ${accountId}::bigint)
        AND NOT EXISTS (
          SELECT FROM account_roles ar
            JOIN roles r ON r.id = ar.role_id AND r.company_id = j.company_id
            JOIN employees e ON e.company_id = j.company_id AND e.account_id = ar.account_id
              AND e.dimission_at IS NULL
            JOIN accounts a ON a.id = ar.account_id AND a.disabled_at IS NULL
          WHERE ar.account_id = j.created_by AND r.permissions && ${sql.param(mayImport)}::text[])`);
    for (const { id, companyId } of rows) {
      await tenants.run(companyId, null, (scope) => cancelJob(scope, id, new Date(clock.now())));
      const changes: DataChanges = {
        supplierId: companyId,
        tags: ["imports"],
        except: null,
        only: null,
      };
      await bus.publish(DATA_CHANGES, changes);
    }
  }

  return {
    start() {
      stopListening = own.onPublished(ACCESS_END, (message) => {
        const parsed = accessEndSchema.safeParse(message);
        if (!parsed.success) return;
        const end = parsed.data;
        const isCompany = end.of === "company" || end.of === "rights";
        if (!isCompany && !(end.of === "login" && end.why === "disabled")) return;
        const of = isCompany ? { supplierId: end.supplierId } : { accountId: end.accountId };
        working = working
          .then(() => cancel(of))
          .catch((error: unknown) => {
            log.error({ err: error }, "imports of people who may not import go on");
          });
      });
    },
    stop() {
      stopListening();
      return working;
    },
  };
}
