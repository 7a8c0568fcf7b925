/**
 * Limits and records who reads the phone numbers of colleagues. A colleague without permission for the employees may read a
 * limited number per hour, because nobody needs all of them at once. Everyone who reads many is recorded. A list that is shown asks its
 * question again with each change of the data, so a question counts only the first time.
 */
import { AppError } from "../../../shared/errors.ts";
import { audit } from "../../base/audit/index.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Clock } from "../../base/module.ts";

const HOUR = 3_600_000;
/** Phone numbers that a colleague may read within an hour. */
export const PHONES_AN_HOUR = 2000;
/** Phone numbers within an hour after which an audit record is made, and again after every further such number. */
export const PHONES_A_RECORD = 500;
/** Exports per account and hour. */
export const EXPORTS_AN_HOUR = 20;
/** Most readers that are remembered. The least recently active is dropped first. */
const MAX_READERS = 20_000;
/** Questions of a reader that are remembered, of which a tab asks a few again and again. The longest unasked is dropped first. */
const MAX_QUESTIONS = 100;

interface Reader {
  /** The numbers that still count, and how many of them are recorded. */
  count: number;
  recorded: number;
  at: number;
  /** What was asked and counted. */
  readonly asked: Set<string>;
}

export interface PhoneReads {
  /**
   * Reads a page and counts its phone numbers, unless the reader was given an answer to the same question before.
   *
   * @param request.limited whether the reader lacks permission for the employees
   * @param request.question the call with all that it was asked
   * @param read returns the page
   * @throws AppError request.rate-limited
   */
  page<P extends { readonly records: readonly { readonly phone: string | null }[] }>(
    scope: CompanyScope,
    request: { readonly limited: boolean; readonly limit: number; readonly question: string },
    read: () => Promise<P>,
  ): Promise<P>;
  /**
   * Records an export.
   *
   * @throws AppError request.rate-limited
   */
  export(scope: CompanyScope, what: Readonly<Record<string, unknown>>): Promise<void>;
}

export function createPhoneReads(clock: Clock): PhoneReads {
  const pages = new Map<string, Reader>();
  const exports = new Map<string, Reader>();

  function readerOf(readers: Map<string, Reader>, scope: CompanyScope, perHour: number): Reader {
    const key = `${scope.companyId}\n${scope.actor?.accountId ?? ""}`;
    const now = clock.now();
    const reader = readers.get(key) ?? { count: 0, recorded: 0, at: now, asked: new Set() };
    const leaked = (Math.max(0, now - reader.at) / HOUR) * perHour;
    reader.count = Math.max(0, reader.count - leaked);
    reader.recorded = Math.max(0, reader.recorded - leaked);
    reader.at = now;
    // Delete first, so that the map stays ordered by last read.
    readers.delete(key);
    readers.set(key, reader);
    if (readers.size > MAX_READERS) {
      const oldest = readers.keys().next();
      if (oldest.done !== true) readers.delete(oldest.value);
    }
    return reader;
  }

  function remember(asked: Set<string>, question: string): void {
    asked.add(question);
    if (asked.size <= MAX_QUESTIONS) return;
    const oldest = asked.values().next();
    if (oldest.done !== true) asked.delete(oldest.value);
  }

  const refuse = (over: number, perHour: number): AppError =>
    new AppError("request.rate-limited", {
      message: "查看的员工信息过多，请稍后再试",
      details: { retryAfter: Math.max(1, Math.ceil(((over / perHour) * HOUR) / 1000)) },
    });

  return {
    async page(scope, { limited, limit, question }, read) {
      const reader = readerOf(pages, scope, PHONES_AN_HOUR);
      if (reader.asked.delete(question)) {
        reader.asked.add(question);
        return read();
      }
      const over = reader.count + limit - PHONES_AN_HOUR;
      if (limited && over > 0) throw refuse(over, PHONES_AN_HOUR);
      // Reserve the largest possible number during the read, so that parallel reads cannot exceed the limit together.
      reader.count += limit;
      let phones = 0;
      try {
        const page = await read();
        phones = page.records.filter(({ phone }) => phone !== null && phone !== "").length;
        remember(reader.asked, question);
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
