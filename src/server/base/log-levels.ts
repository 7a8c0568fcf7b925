/** The areas of the log and the settings of their levels (docs/server.md#log). */

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A part of the server with a log level of its own. */
export const LOG_AREAS = [
  "server",
  "http",
  "database",
  "cluster",
  "operations",
  "accounts",
  "employees",
  "imports",
  "chat",
  "signalling",
  "media",
  "quality",
  "files",
  "sms",
] as const;
export type LogArea = (typeof LOG_AREAS)[number];

export type AreaLevels = Readonly<Partial<Record<LogArea, LogLevel>>>;

const isOneOf = <T extends string>(all: readonly T[], text: string): text is T =>
  (all as readonly string[]).includes(text);

/**
 * @param text pairs separated by commas: `chat=debug,http=warn`
 * @returns null when a pair, an area or a level is unknown
 */
export function parseAreaLevels<A extends string, L extends string>(
  text: string,
  areas: readonly A[],
  known: readonly L[],
): Partial<Record<A, L>> | null {
  const levels: Partial<Record<A, L>> = {};
  for (const pair of text.split(",")) {
    const [area = "", level = "", ...rest] = pair.split("=").map((part) => part.trim());
    if (rest.length > 0 || !isOneOf(areas, area) || !isOneOf(known, level)) return null;
    levels[area] = level;
  }
  return levels;
}
