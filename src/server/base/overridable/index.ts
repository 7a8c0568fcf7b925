/**
 * What the calls of overridable entries share (docs/server.md#tenants): work as the caller's company, a cache that every change
 * of the company clears, deletion by a list of ids, and export.
 */
import type { Context } from "hono";
import type { CompanyScope } from "../database/tenant.ts";
import { requireSupplier } from "../http/route.ts";
import type { HttpEnv, Principal, ServerDeps } from "../module.ts";
import { type Column, inPieces, xlsxResponse } from "../xlsx/index.ts";
import type { CompanyCache } from "../cache/index.ts";

/** Rows per piece of an export. */
const EXPORT_PIECE = 1000;

export interface OverridableCalls {
  /** Runs work as the company of the caller's supplier-id header. */
  run<R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>): Promise<R>;
  /** Like run, and clears the company's cache afterwards. */
  change<R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>): Promise<R>;
  /** Deletes the entries with the ids of a comma-separated list. */
  remove(
    principal: Principal,
    ids: string,
    work: (scope: CompanyScope, ids: readonly string[]) => Promise<void>,
  ): Promise<null>;
  /** Answers with all entries as .xlsx, read in pieces. */
  download<T>(
    principal: Principal,
    c: Context<HttpEnv>,
    file: { readonly name: string; readonly columns: readonly Column<T>[] },
    after: (scope: CompanyScope, last: T | null, limit: number) => Promise<T[]>,
  ): ReturnType<typeof xlsxResponse>;
}

export function createOverridableCalls(
  deps: Pick<ServerDeps, "tenants">,
  cache: Pick<CompanyCache<unknown>, "forget">,
): OverridableCalls {
  const run: OverridableCalls["run"] = (principal, work) =>
    deps.tenants.run(requireSupplier(principal), principal, work);
  const change: OverridableCalls["change"] = async (principal, work) => {
    const result = await run(principal, work);
    await cache.forget(requireSupplier(principal));
    return result;
  };
  return {
    run,
    change,
    async remove(principal, ids, work) {
      const each = [...new Set(ids.split(","))];
      await change(principal, (scope) => work(scope, each));
      return null;
    },
    download: <T>(
      principal: Principal,
      c: Context<HttpEnv>,
      { name, columns }: { readonly name: string; readonly columns: readonly Column<T>[] },
      after: (scope: CompanyScope, last: T | null, limit: number) => Promise<T[]>,
    ) =>
      xlsxResponse(
        name,
        columns,
        inPieces(EXPORT_PIECE, (last: T | null, limit) =>
          run(principal, (scope) => after(scope, last, limit)),
        ),
        c.var.log,
      ),
  };
}
