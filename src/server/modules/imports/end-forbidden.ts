/** Cancels the open imports of people who may not import any more (docs/server.md#end-of-access). */
import { sql } from "drizzle-orm";
import { ALL_PERMISSIONS } from "../../../shared/protocol/rest/call.ts";
import { importChunkCall } from "../../../shared/protocol/rest/imports.ts";
import { AppError } from "../../../shared/errors.ts";
import { ACCESS_END, type AccessEnd, accessEndSchema } from "../../base/cluster/access.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { OwnMessages } from "../../base/cluster/own-messages.ts";
import { isOpen } from "../../base/database/companies.ts";
import type { Actor } from "../../base/database/tenant.ts";
import type { Principal, ServerDeps } from "../../base/module.ts";
import { cancelJob } from "./jobs.ts";

export interface EndForbidden {
  /** A request for a chunk was admitted. @returns a function to call at its end */
  begin(principal: Principal): () => void;
  /**
   * Call when the chunk's turn has come: the caller may have lost the company while it waited, and the cancellation of the job waits
   * behind it for the embedded database.
   *
   * @throws AppError import.closed
   */
  check(actor: Actor): void;
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
  directory,
  onCancelled,
}: Pick<ServerDeps, "db" | "tenants" | "bus" | "clock" | "log" | "directory"> & {
  readonly own: Pick<OwnMessages, "onPublished">;
  readonly onCancelled: (job: { readonly created: number }) => void;
}): EndForbidden {
  const mayImport = [...(importChunkCall.access?.permissions ?? []), ALL_PERMISSIONS];
  const stops: (() => void)[] = [];
  const running = new Set<Principal>();
  const out = new WeakSet<object>();
  let working: Promise<void> = Promise.resolve();

  /** @param concerned the company or the account that the end of access concerns */
  async function cancel(concerned: { readonly supplierId?: string; readonly accountId?: string }) {
    const { supplierId = null, accountId = null } = concerned;
    const { rows } = await db.execute<{ id: string; companyId: string }>(sql`
      SELECT j.id::text AS id, j.company_id::text AS "companyId" FROM import_jobs j
      WHERE j.state = 'open' AND j.created_by IS NOT NULL
        AND (${supplierId}::bigint IS NULL OR j.company_id = ${supplierId}::bigint)
        AND (${accountId}::bigint IS NULL OR j.created_by = ${accountId}::bigint)
        AND NOT EXISTS (
          SELECT FROM account_roles ar
            JOIN roles r ON r.id = ar.role_id AND r.company_id = j.company_id
            JOIN employees e ON e.company_id = j.company_id AND e.account_id = ar.account_id
              AND e.dimission_at IS NULL AND ${isOpen(sql`e.company_id`)}
            JOIN accounts a ON a.id = ar.account_id AND a.disabled_at IS NULL
          WHERE ar.account_id = j.created_by AND r.permissions && ${sql.param(mayImport)}::text[])`);
    for (const { id, companyId } of rows) {
      onCancelled(
        await tenants.run(companyId, null, (scope) => cancelJob(scope, id, new Date(clock.now()))),
      );
      const changes: DataChanges = {
        supplierId: companyId,
        tags: ["imports"],
        except: null,
        only: null,
      };
      await bus.publish(DATA_CHANGES, changes);
    }
  }

  const mark = (end: AccessEnd): void => {
    for (const principal of running) {
      const isWho = "accountId" in end && end.accountId === principal.accountId;
      const isHere =
        (end.of === "company" && end.supplierId === principal.supplierId) ||
        (end.of === "login" && end.sessionId === principal.sessionId);
      if (isWho && isHere) out.add(principal);
    }
  };

  return {
    begin(principal) {
      running.add(principal);
      return () => void running.delete(principal);
    },
    check(actor) {
      if (actor !== null && out.has(actor)) throw new AppError("import.closed");
    },
    start() {
      stops.push(directory.onAccessEnd(mark));
      const stopListening = own.onPublished(ACCESS_END, (message) => {
        const parsed = accessEndSchema.safeParse(message);
        if (!parsed.success) return;
        const end = parsed.data;
        const isCompany = end.of === "company" || end.of === "rights";
        if (!isCompany && !(end.of === "login" && end.why === "disabled")) return;
        const concerned = isCompany ? { supplierId: end.supplierId } : { accountId: end.accountId };
        working = working
          .then(() => cancel(concerned))
          .catch((error: unknown) => {
            log.error({ err: error }, "imports of people who may not import go on");
          });
      });
      stops.push(stopListening);
    },
    stop() {
      for (const stopListening of stops.splice(0)) stopListening();
      return working;
    },
  };
}
