/**
 * Upload limits: bytes that a company's files take in total, bytes that an account sends within an hour, and parallel uploads.
 * A running upload counts with its announced size, so that parallel uploads cannot exceed a limit together.
 */
import { AppError } from "../../../shared/errors.ts";
import type { Clock } from "../module.ts";

export interface UploadLimits {
  /** Most bytes of a company's files. */
  readonly company: number;
  /** Most bytes that an account uploads within an hour. */
  readonly hourly: number;
  /** Most parallel uploads of an account. */
  readonly perAccount: number;
  /** Most parallel uploads in total. */
  readonly total: number;
}

export interface UploadQuota {
  /**
   * Reserves space for an upload that begins.
   *
   * @param asked.size bytes that the request announces
   * @param asked.used reads the bytes that the company's files take
   * @returns a function that ends the reservation; idempotent
   * @throws AppError file.quota for the company's space, request.rate-limited for the other limits
   */
  admit(asked: {
    readonly company: string;
    readonly account: string;
    readonly size: number;
    readonly used: () => Promise<number>;
  }): Promise<() => void>;
}

/** The running uploads of an account or a company, with their announced bytes. */
interface Running {
  uploads: number;
  bytes: number;
}

/** Most accounts whose hourly bytes are remembered. */
const MAX_ACCOUNTS = 20_000;
const HOUR = 3_600_000;

export function createUploadQuota(clock: Clock, limits: UploadLimits): UploadQuota {
  const accounts = new Map<string, Running>();
  const companies = new Map<string, Running>();
  /** Bytes of each account that still count at the given time. */
  const hours = new Map<string, { bytes: number; at: number }>();
  let running = 0;

  /** The counted bytes decrease evenly over the hour. */
  function sentBy(account: string): number {
    const found = hours.get(account);
    if (found === undefined) return 0;
    const leaked = ((clock.now() - found.at) / HOUR) * limits.hourly;
    return Math.max(0, found.bytes - Math.max(0, leaked));
  }

  function count(map: Map<string, Running>, key: string, uploads: number, bytes: number): void {
    const found = map.get(key) ?? { uploads: 0, bytes: 0 };
    found.uploads += uploads;
    found.bytes += bytes;
    if (found.uploads === 0) map.delete(key);
    else map.set(key, found);
  }

  return {
    async admit({ company, account, size, used }) {
      const ownUploads = accounts.get(account)?.uploads ?? 0;
      if (running >= limits.total || ownUploads >= limits.perAccount) {
        throw new AppError("request.rate-limited", { details: { retryAfter: 5 } });
      }
      const sent = sentBy(account);
      if (sent + size > limits.hourly) {
        const wait = ((sent + size - limits.hourly) / limits.hourly) * HOUR;
        throw new AppError("request.rate-limited", {
          message: "上传过于频繁，请稍后再试",
          details: { retryAfter: Math.max(1, Math.ceil(Math.min(wait, HOUR) / 1000)) },
        });
      }
      running += 1;
      count(accounts, account, 1, size);
      count(companies, company, 1, size);
      let released = false;
      const release = (): void => {
        if (released) return;
        released = true;
        running -= 1;
        count(accounts, account, -1, -size);
        count(companies, company, -1, -size);
      };
      try {
        // This upload is already reserved, so of several parallel uploads the last one to read the usage sees them all.
        const stored = await used();
        if (stored + (companies.get(company)?.bytes ?? 0) > limits.company) {
          throw new AppError("file.quota");
        }
      } catch (error) {
        release();
        throw error;
      }
      const total = sentBy(account) + size;
      // Delete first, so that the map stays ordered by last upload.
      hours.delete(account);
      hours.set(account, { bytes: total, at: clock.now() });
      if (hours.size > MAX_ACCOUNTS) {
        const oldest = hours.keys().next();
        if (oldest.done !== true) hours.delete(oldest.value);
      }
      return release;
    },
  };
}
