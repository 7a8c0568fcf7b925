/** Whose paths this tab shows: kept over a reload, so that the path of an expired login is not another person's. */
import { z } from "../../shared/zod.ts";

const ownerSchema = z.object({ accountId: z.string(), page: z.number() });

/** How the page came into the tab. */
export interface Arrival {
  /** Tells pages of a tab apart. */
  readonly page: number;
  /** By a typed address, a bookmark or a link, and not by a reload or the history of the tab. */
  readonly asked: boolean;
}

export function arrivalOf(timing: Performance): Arrival {
  const entries = timing.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return { page: timing.timeOrigin, asked: entries[0]?.type === "navigate" };
}

/**
 * The account whose path stands in the address, null when it is free.
 * An address that a person asks for is not inherited, whoever used the tab before.
 */
export function ownerOf(kept: unknown, arrival: Arrival): string | null {
  const { data } = ownerSchema.safeParse(kept);
  if (data === undefined) return null;
  return arrival.asked && data.page !== arrival.page ? null : data.accountId;
}
