/**
 * Who reads the phones of colleagues. A colleague without the right to the employees reads so many within an hour, since nobody
 * needs all of them at once; every reader of many is written down.
 */
import { AppError } from "../../shared/errors.ts";
import { audit } from "../audit/index.ts";
import type { CompanyScope } from "../db/tenant.ts";
import type { Clock } from "../module.ts";

const HOUR = 3_600_000;
/** Phones that a colleague may read within an hour. */
export const PHONES_AN_HOUR = 2000;
/** Phones within an hour after which a record is made, and again after as many more. */
export const PHONES_A_RECORD = 500;
/** Exports that an account may make within an hour. */
export const EXPORTS_AN_HOUR = 20;
/** Readers that are remembered at most; the one that read nothing for the longest time goes first. */
const MAX_READERS = 20_000;

interface Reader {
  /** What still counts, and what of it is written down. */
  count: number;
  recorded: number;
  at: number;
}

export interface PhoneReads {
  /**
   * Reads a page.
   *
   * @param of.limited the reader has no right to the employees as such
   * @param read gives the page
   * @throws AppError request.rate-limited
   */
  page<P extends { readonly records: readonly { readonly phone: string | null }[] }>(
    scope: CompanyScope,
    of: { readonly limited: boolean; readonly limit: number },
    read: () => Promise<P>,
  ): Promise<P>;
  /** Writes an export down. @throws AppError request.rate-limited */
  export(scope: CompanyScope, what: Readonly<Record<string, unknown>>): Promise<void>;
}

export function createPhoneReads(clock: Clock): PhoneReads {
  const pages = new Map<string, Reader>();
  const exports = new Map<string, Reader>();

  function readerOf(readers: Map<string, Reader>, scope: CompanyScope, perHour: number): Reader {
    const key = `${scope.companyId}\n${scope.actor?.accountId ?? ""}`;
    const now = clock.now();
    const reader = readers.get(key) ?? { count: 0, recorded: 0, at: now };
    const leaked = (Math.max(0, now - reader.at) / HOUR) * perHour;
    reader.count = Math.max(0, reader.count - leaked);
    reader.recorded = Math.max(0, reader.recorded - leaked);
    reader.at = now;
    // deleted first, so that the map is in order of the last read
    readers.delete(key);
    readers.set(key, reader);
    if (readers.size > MAX_READERS) {
      const oldest = readers.keys().next();
      if (oldest.done !== true) readers.delete(oldest.value);
    }
    return reader;
  }

  const refuse = (over: number, perHour: number): AppError =>
    new AppError("request.rate-limited", {
      message: "查看的员工信息过多，请稍后再试",
      details: { retryAfter: Math.max(1, Math.ceil(((over / perHour) * HOUR) / 1000)) },
    });

  return {
    async page(scope, { limited, limit }, read) {
      const reader = readerOf(pages, scope, PHONES_AN_HOUR);
      const over = reader.count + limit - PHONES_AN_HOUR;
      if (limited && over > 0) throw refuse(over, PHONES_AN_HOUR);
      // as many as it may be while it is read, so that many at once do not pass together
      reader.count += limit;
      let phones = 0;
      try {
        const page = await read();
        phones = page.records.filter(({ phone }) => phone !== null && phone !== "").length;
        return page;
      } finally {
        reader.count -= limit - phones;
        const news = reader.count - reader.recorded;
        if (phones > 0 && news >= PHONES_A_RECORD) {
          reader.recorded = reader.count;
          await audit(scope, {
            action: "read",
            entity: "employee-phones",
            entityId: scope.companyId,
            after: { phones: Math.round(news), limited },
          });
        }
      }
    },
    async export(scope, what) {
      const reader = readerOf(exports, scope, EXPORTS_AN_HOUR);
      const over = reader.count + 1 - EXPORTS_AN_HOUR;
      if (over > 0) throw refuse(over, EXPORTS_AN_HOUR);
      reader.count += 1;
      await audit(scope, {
        action: "export",
        entity: "employees",
        entityId: scope.companyId,
        after: what,
      });
    },
  };
}
