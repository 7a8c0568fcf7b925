/**
 * Limits how many chunks are unpacked, parsed and written at the same time: forty at once took three gigabytes. A chunk without
 * space waits with its body unread. A chunk that would wait too long is refused with the time after which to retry.
 */
import { AppError } from "../../../shared/errors.ts";
import type { Clock } from "../../base/module.ts";

export interface GateLimits {
  /** Most unpacked bytes of all chunks inside the gate. A single chunk may exceed it when it is alone. */
  readonly bytes: number;
  /** Most chunks of one company inside the gate. */
  readonly perCompany: number;
  /** Most waiting chunks of one company; `waiting` is the limit for all companies. */
  readonly waitingPerCompany: number;
  readonly waiting: number;
  /** Longest wait of a chunk, ms. */
  readonly patience: number;
}

export const GATE_LIMITS: GateLimits = {
  bytes: 48 * 1024 * 1024,
  perCompany: 3,
  waitingPerCompany: 6,
  waiting: 30,
  patience: 15_000,
};
/** Seconds after which a refused chunk may be sent again. */
const RETRY_AFTER = 2;

export interface Gate {
  /**
   * @param bytes upper bound of the unpacked chunk
   * @param gone aborted when the sender has left; the chunk then leaves the queue
   * @returns an idempotent function that leaves the gate
   * @throws AppError request.rate-limited with details.retryAfter in seconds
   */
  enter(company: string, bytes: number, gone?: AbortSignal): Promise<() => void>;
  inside(): number;
}

interface Waiting {
  readonly company: string;
  readonly bytes: number;
  admit(leave: () => void): void;
}

export function createGate(clock: Clock, limits: GateLimits = GATE_LIMITS): Gate {
  const inside = new Map<string, number>();
  let chunks = 0;
  let bytes = 0;
  let queue: Waiting[] = [];

  const fits = (one: Pick<Waiting, "company" | "bytes">): boolean =>
    (inside.get(one.company) ?? 0) < limits.perCompany &&
    (chunks === 0 || bytes + one.bytes <= limits.bytes);

  function occupy(one: Pick<Waiting, "company" | "bytes">): () => void {
    chunks += 1;
    bytes += one.bytes;
    inside.set(one.company, (inside.get(one.company) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      chunks -= 1;
      bytes -= one.bytes;
      const rest = (inside.get(one.company) ?? 1) - 1;
      if (rest > 0) inside.set(one.company, rest);
      else inside.delete(one.company);
      admitNext();
    };
  }

  /** Admits the company with the fewest chunks inside first, so that a company with many chunks does not block the others. */
  function admitNext(): void {
    for (;;) {
      const load = (one: Waiting): number => inside.get(one.company) ?? 0;
      const [next] = queue.filter(fits).sort((a, b) => load(a) - load(b));
      if (next === undefined) return;
      queue = queue.filter((one) => one !== next);
      next.admit(occupy(next));
    }
  }

  const tooMany = (): AppError =>
    new AppError("request.rate-limited", { details: { retryAfter: RETRY_AFTER } });

  return {
    enter(company, size, gone) {
      const one = { company, bytes: size };
      if (queue.length === 0 && fits(one)) return Promise.resolve(occupy(one));
      const waitingOfCompany = queue.filter((other) => other.company === company).length;
      if (queue.length >= limits.waiting || waitingOfCompany >= limits.waitingPerCompany) {
        return Promise.reject(tooMany());
      }
      return new Promise((resolve, reject) => {
        const leaveQueue = (error: AppError): void => {
          queue = queue.filter((other) => other !== waiting);
          settle();
          reject(error);
        };
        const late = clock.setTimeout(() => leaveQueue(tooMany()), limits.patience);
        const onGone = (): void => leaveQueue(new AppError("network.offline"));
        const settle = (): void => {
          late.cancel();
          gone?.removeEventListener("abort", onGone);
        };
        const waiting: Waiting = {
          ...one,
          admit(leave) {
            settle();
            resolve(leave);
          },
        };
        gone?.addEventListener("abort", onGone);
        queue.push(waiting);
        admitNext();
      });
    },
    inside: () => chunks,
  };
}
