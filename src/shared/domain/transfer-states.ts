/** States of an upload or a download in the queue of all tabs (docs/session.md#files). */
export const TRANSFER_STATES = [
  "waiting",
  "running",
  /** The server is away or busy; it goes on by itself. */
  "paused",
  "failed",
  /** The server has the upload; the core has the file of the download. */
  "done",
] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];
