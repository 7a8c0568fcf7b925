/** The answering end of a ProtocolStream: hands the bytes to PGlite, in order, and sends back what it says. */
import type { MessagePort } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import type { ProtocolReply } from "./protocol-stream.ts";

/** Request codes of messages that have no type byte. */
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const TERMINATE = 0x58;

/**
 * PGlite is one session of PostgreSQL. A connection that goes away in the middle of a transaction leaves it open, so every
 * new connection starts from a clean one.
 *
 * @returns attach(port): serves one connection; connections are served one request at a time
 */
export function createProtocolServer(pg: PGlite): { attach(port: MessagePort): void } {
  let turn: Promise<void> = Promise.resolve();
  let used = false;

  async function clean(): Promise<void> {
    if (used) {
      await pg.exec("ROLLBACK");
      await pg.exec("DISCARD ALL");
    }
    used = true;
  }

  async function answer(bytes: Uint8Array): Promise<Uint8Array> {
    if (bytes.byteLength >= 8 && bytes[0] === 0) {
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      const request = view.getInt32(4);
      if (request === SSL_REQUEST || request === GSS_REQUEST) return new TextEncoder().encode("N");
      if (request === CANCEL_REQUEST) return new Uint8Array(0);
      await clean();
      return pg.execProtocolRaw(bytes);
    }
    return exec(bytes);
  }

  /** Streamed, because execProtocolRaw parses every answer once more and keeps what it parsed for ever. */
  async function exec(bytes: Uint8Array): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    // a view into the database's memory: it holds until the next is written
    await pg.execProtocolRawStream(bytes, { onRawData: (part) => void parts.push(part.slice()) });
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  return {
    attach(port) {
      const reply = (message: ProtocolReply, transfer: ArrayBuffer[] = []): void =>
        port.postMessage(message, transfer);
      port.on("message", (bytes: Uint8Array) => {
        if (bytes[0] === TERMINATE) {
          port.close();
          return;
        }
        turn = turn.then(async () => {
          try {
            const said = await answer(bytes);
            if (said.byteLength === 0) return;
            // it may be a view into a greater buffer: only a copy may be handed over
            const own = new Uint8Array(said);
            reply(own, [own.buffer]);
          } catch (error) {
            reply({ failed: `the embedded database failed: ${String(error)}` });
          }
        });
      });
    },
  };
}
