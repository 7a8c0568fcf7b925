/** Names that reports of cores and the pages of the fleet share (docs/server.md#reports-of-cores), without their schemas. */

/** Sockets of a core that it reports. */
export const REPORTED_SOCKETS = ["chat", "signalling", "quality"] as const;
export type ReportedSocket = (typeof REPORTED_SOCKETS)[number];

/** Errors that have no code of the catalogue. */
export const UNCAUGHT = "uncaught";

/** Cores with something of which a number counts. */
export const FLEET_HAVING = ["outbox", "errors", "lost", "restarted", "slow"] as const;

/** Metrics that are how many there are at a time, over all cores (docs/server.md#reports-of-cores). */
export const LEVELS = [
  "cores",
  "tabs",
  "visible",
  "ports",
  "unacked",
  "outbox",
  "uploads",
  "downloads",
  "imports",
  "quality",
  "memory",
] as const;
export type Level = (typeof LEVELS)[number];
export const isLevel = (metric: string): metric is Level =>
  (LEVELS as readonly string[]).includes(metric);
