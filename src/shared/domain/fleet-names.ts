/** Names that reports of cores and the pages of the fleet share (docs/server.md#reports-of-cores), without their schemas. */

/** Sockets of a core that it reports. */
export const REPORTED_SOCKETS = ["chat", "signalling", "quality"] as const;
export type ReportedSocket = (typeof REPORTED_SOCKETS)[number];

/** Errors that have no code of the catalogue. */
export const UNCAUGHT = "uncaught";

/** Cores with something of which a number counts. */
export const FLEET_HAVING = ["outbox", "errors", "lost", "restarted", "slow"] as const;
