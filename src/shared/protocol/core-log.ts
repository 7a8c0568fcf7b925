/** The areas of the core's log and their levels (docs/session.md#log). */

/** `core`: whatever has no other. `errors`: reports of errors to the server. */
export const CORE_LOG_AREAS = [
  "core",
  "storage",
  "http",
  "session",
  "chat",
  "signalling",
  "calls",
  "conferences",
  "imports",
  "quality",
  "errors",
] as const;
export type CoreLogArea = (typeof CORE_LOG_AREAS)[number];

/** A level shows its own lines and those of the levels before it. */
export const CORE_LOG_LEVELS = ["silent", "error", "warn", "info"] as const;
export type CoreLogLevel = (typeof CORE_LOG_LEVELS)[number];
