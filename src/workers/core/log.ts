/** The log of the core, for developers (docs/session.md#log). */
import {
  CORE_LOG_LEVELS,
  type CoreLogArea,
  type CoreLogLevel,
} from "../../shared/protocol/core-log.ts";

/** Levels by area, as the configuration gives them. */
export type CoreLogLevels = Readonly<Record<string, string>>;

/** Writes a line; never a secret. */
export type Log = (area: CoreLogArea, level: Exclude<CoreLogLevel, "silent">, text: string) => void;

/**
 * @param name begins each line
 * @param levels read at each line, because the first lines come before the configuration
 * @param out the console
 */
export function createLog(
  name: string,
  levels: () => CoreLogLevels,
  out: Pick<Console, "error" | "warn" | "info">,
): Log {
  return (area, level, text) => {
    const set = levels()[area];
    const most = CORE_LOG_LEVELS.findIndex((known) => known === set);
    // An area without a level of its own, or with one that this build does not know, writes everything.
    if (most >= 0 && CORE_LOG_LEVELS.indexOf(level) > most) return;
    out[level](`[${name}] ${area}: ${text}`);
  };
}
