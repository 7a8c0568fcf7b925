/**
 * What dictionary and settings share: entries of the platform that a company may override. They are read from a cache that
 * every change of the company clears.
 */
import type { Context } from "hono";
import { AppError } from "../../../shared/errors.ts";
import { isDuplicate } from "../database/common.ts";
import type { CompanyScope } from "../database/tenant.ts";
import { requireSupplier } from "../http/route.ts";
import type { HttpEnv, Principal, ServerDeps } from "../module.ts";
import { type Column, inPieces, xlsxResponse } from "../xlsx/index.ts";
import type { CompanyCache } from "./index.ts";

/** Rows per piece of an export. */
const EXPORT_PIECE = 1000;

export interface CompanyEntries {
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

export function createCompanyEntries(
  deps: Pick<ServerDeps, "tenants">,
  cache: Pick<CompanyCache<unknown>, "forget">,
): CompanyEntries {
  const run: CompanyEntries["run"] = (principal, work) =>
    deps.tenants.run(requireSupplier(principal), principal, work);
  const change: CompanyEntries["change"] = async (principal, work) => {
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

/**
 * Converts a duplicate-row error into one that names the unique field.
 *
 * @throws AppError request.conflict
 */
export async function unlessTaken<R>(
  query: PromiseLike<R>,
  field: string,
  message: string,
): Promise<R> {
  try {
    return await query;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new AppError("request.conflict", { message, details: { fields: { [field]: "已存在" } } });
  }
}
