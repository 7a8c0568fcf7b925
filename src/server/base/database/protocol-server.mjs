// @ts-check
// Plain JavaScript, because a thread that compiles TypeScript takes 50 MB more (thread-entry.mjs). Types: protocol-server.d.mts.

/** Request codes of messages that have no type byte. */
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const TERMINATE = 0x58;

/** @type {typeof import("./protocol-server.d.mts").createProtocolServer} */
export function createProtocolServer(pg) {
  /** @type {Promise<void>} */
  let turn = Promise.resolve();
  let used = false;

  async function clean() {
    if (used) {
      await pg.exec("ROLLBACK");
      await pg.exec("DISCARD ALL");
    }
    used = true;
  }

  /** @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
  async function answer(bytes) {
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

  /**
   * Streamed, because execProtocolRaw parses every answer again and never frees the parsed data.
   *
   * @param {Uint8Array} bytes
   * @returns {Promise<Uint8Array>}
   */
  async function exec(bytes) {
    /** @type {Uint8Array[]} */
    const parts = [];
    // A view into the database's memory, valid only until the next write. So copy it.
    await pg.execProtocolRawStream(bytes, { onRawData: (part) => void parts.push(part.slice()) });
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  return {
    attach(port) {
      port.on("message", (/** @type {Uint8Array} */ bytes) => {
        if (bytes[0] === TERMINATE) {
          port.close();
          return;
        }
        turn = turn.then(async () => {
          try {
            const said = await answer(bytes);
            if (said.byteLength === 0) return;
            // The bytes may be a view into a larger buffer, so transfer a copy.
            const own = new Uint8Array(said);
            port.postMessage(own, [own.buffer]);
          } catch (error) {
            port.postMessage({ failed: `the embedded database failed: ${String(error)}` });
          }
        });
      });
    },
  };
}
