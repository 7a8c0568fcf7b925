/** The server side of a ProtocolStream: passes the bytes to PGlite in order and sends its answers back (ProtocolReply). */
import type { MessagePort } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";

/**
 * PGlite is a single PostgreSQL session. A connection that breaks within a transaction leaves the transaction open, so every
 * new connection starts with a clean session.
 *
 * @returns attach(port): serves one connection; connections are served one request at a time
 */
export function createProtocolServer(pg: PGlite): { attach(port: MessagePort): void };
