/** The account whose paths this tab shows. Kept over a reload, so that another person is not sent to the path of an expired login. */

interface Owner {
  readonly accountId: string;
  readonly page: number;
}

/** Checked by hand, because the login does without zod. */
const isOwner = (kept: unknown): kept is Owner => {
  const { accountId, page } = (kept ?? {}) as Partial<Record<keyof Owner, unknown>>;
  return typeof accountId === "string" && typeof page === "number";
};

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
  if (!isOwner(kept)) return null;
  return arrival.asked && kept.page !== arrival.page ? null : kept.accountId;
}
