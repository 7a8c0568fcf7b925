/** Timings of the owner tab, for calls and conferences (docs/calls.md#timeouts). All in ms. */
export const OWNER_TIMINGS = {
  ownedTimeoutMillis: 3_000,
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
