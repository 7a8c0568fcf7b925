/** The account whose paths this tab shows. Kept over a reload, so that another person is not sent to the path of an expired login. */
import { z } from "../../shared/zod.ts";

const ownerSchema = z.object({ accountId: z.string(), page: z.number() });

/** How the page came into the tab. */
export interface Arrival {
  /** Identifies this page load within the tab. */
  readonly page: number;
  /** Loaded by a typed address, a bookmark or a link; not by a reload or the tab's history. */
  readonly asked: boolean;
}

export function arrivalOf(timing: Performance): Arrival {
  const entries = timing.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return { page: timing.timeOrigin, asked: entries[0]?.type === "navigate" };
}

/**
 * The account that the address belongs to; null when anyone may use it.
 * An address that a person typed or followed is free for anyone, even if another person used the tab before.
 */
export function ownerOf(kept: unknown, arrival: Arrival): string | null {
  const { data } = ownerSchema.safeParse(kept);
  if (data === undefined) return null;
  return arrival.asked && data.page !== arrival.page ? null : data.accountId;
}
