import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";

/** Runs work on the data of the company in which the caller makes the call. @throws AppError when it names none */
export type InCompany = <R>(
  principal: Principal,
  work: (scope: CompanyScope) => Promise<R>,
) => Promise<R>;

/** Called with an account whose rights changed. */
export type Concerns = (accountId: string) => void;
