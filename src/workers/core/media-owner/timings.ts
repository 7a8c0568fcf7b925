/** Timings of the owner tab, for calls and conferences (docs/calls.md#timeouts). All in ms. */
export const OWNER_TIMINGS = {
  /** Time to take the lock. Each round in which no tab answers doubles it, up to the time of a permission prompt. */
  ownedTimeoutMillis: 3_000,
  /** A call that no tab answers for so long fails. A conference goes on asking. */
  unansweredMillis: 25_000,
  /** Time for a permission prompt; less than the 30 s that a tab waits for call.start. */
  openedTimeoutMillis: 25_000,
  releasedTimeoutMillis: 500,
  /** A tab that takes over with its devices open has to carry the media. */
  carriesTimeoutMillis: 10_000,
  /** Without any tab. */
  ownerGraceMillis: 10_000,
  /** After a restart of the core: how long to wait for a claim, from the first tab on. */
  claimWaitMillis: 300,
} as const;
export type OwnerTimings = { readonly [K in keyof typeof OWNER_TIMINGS]: number };
