/** The log: JSON lines, in which no secret stands. */
import { DrizzleQueryError } from "drizzle-orm/errors";
import pino, { type DestinationStream, type Logger } from "pino";

/** A failed query's own text holds its parameters: password hashes, token hashes, what people wrote to each other. */
function serializeError(error: unknown): unknown {
  if (error instanceof DrizzleQueryError) {
    const cause = error.cause;
    return {
      type: "DrizzleQueryError",
      query: error.query,
      // the database's detail names the values of a row
      cause: cause === undefined ? null : { message: cause.message, stack: cause.stack },
    };
  }
  if (error instanceof Error && error.cause instanceof DrizzleQueryError) {
    return { ...pino.stdSerializers.err(copy(error)), cause: serializeError(error.cause) };
  }
  return error instanceof Error ? pino.stdSerializers.err(error) : error;
}

/** The error without its cause, whose text pino would append. */
function copy(error: Error): Error {
  const bare = new Error(error.message);
  bare.name = error.name;
  if (error.stack !== undefined) bare.stack = error.stack;
  return bare;
}

/** @param stream for tests; the standard output otherwise */
export function createLogger(level: string, stream?: DestinationStream): Logger {
  const options = { level, serializers: { err: serializeError } };
  return stream === undefined ? pino(options) : pino(options, stream);
}
