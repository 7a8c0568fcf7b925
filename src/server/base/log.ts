/** The log: JSON lines that contain no secrets, each with its area (docs/server.md#log). */
import { DrizzleQueryError } from "drizzle-orm/errors";
import pino, { type DestinationStream, type Logger } from "pino";
import type { AreaLevels, LogArea } from "./log-levels.ts";

/**
 * Drizzle puts the parameters into the text of a failed query: password hashes, token hashes, chat messages. They must not
 * reach the log.
 */
function serializeError(error: unknown): unknown {
  if (error instanceof DrizzleQueryError) {
    const cause = error.cause;
    return {
      type: "DrizzleQueryError",
      query: error.query,
      // The database's error detail contains the values of a row.
      cause: cause === undefined ? null : { message: cause.message, stack: cause.stack },
    };
  }
  if (error instanceof Error && error.cause instanceof DrizzleQueryError) {
    return { ...pino.stdSerializers.err(copy(error)), cause: serializeError(error.cause) };
  }
  return error instanceof Error ? pino.stdSerializers.err(error) : error;
}

/** The error without its cause, because pino appends the cause's text. */
function copy(error: Error): Error {
  const bare = new Error(error.message);
  bare.name = error.name;
  if (error.stack !== undefined) bare.stack = error.stack;
  return bare;
}

/** @param stream where to write (for tests); default: standard output */
export function createLogger(level: string, stream?: DestinationStream): Logger {
  const options = { level, serializers: { err: serializeError } };
  return stream === undefined ? pino(options) : pino(options, stream);
}

/**
 * The log of each area. An area without a level of its own has the level of the whole log.
 *
 * @param log the whole log
 */
export function createAreaLogs(log: Logger, levels: AreaLevels = {}): (area: LogArea) => Logger {
  return (area) => {
    const level = levels[area];
    return log.child({ area }, level === undefined ? {} : { level });
  };
}
