/** The answering end of a ProtocolStream: hands the bytes to PGlite, in order, and sends back what it says (ProtocolReply). */
import type { MessagePort } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";

/**
 * PGlite is one session of PostgreSQL. A connection that goes away in the middle of a transaction leaves it open, so every
 * new connection starts from a clean one.
 *
 * @returns attach(port): serves one connection; connections are served one request at a time
 */
export function createProtocolServer(pg: PGlite): { attach(port: MessagePort): void };
