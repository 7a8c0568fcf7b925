/**
 * Replaces the socket of node-postgres: wire protocol bytes go through a MessagePort to protocol-server.mjs. So the same driver
 * serves the embedded database and PostgreSQL.
 */
import { Duplex } from "node:stream";
import type { MessagePort } from "node:worker_threads";

/** What the server side sends: bytes, or the text of an error after which the connection is unusable. */
export type ProtocolReply = Uint8Array<ArrayBuffer> | { readonly failed: string };

export class ProtocolStream extends Duplex {
  readonly #port: MessagePort;

  /** @param port owned by the stream and closed with it */
  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on("message", (reply: ProtocolReply) => {
      if (reply instanceof Uint8Array) this.push(Buffer.from(reply.buffer));
      else this.destroy(new Error(reply.failed));
    });
    port.on("close", () => this.destroy());
  }

  /** Mimics net.Socket for node-postgres: the channel is already open. */
  connect(): this {
    process.nextTick(() => this.emit("connect"));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#port.ref();
    return this;
  }

  unref(): this {
    this.#port.unref();
    return this;
  }

  override _read(): void {
    // Replies are pushed as they arrive; at most one request is in progress.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#send(chunk);
    done();
  }

  /**
   * The driver corks the messages of one query. They must arrive together, because each chunk is executed at once, and a Parse
   * without its Sync would get no answer.
   */
  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    done: (error?: Error) => void,
  ): void {
    this.#send(Buffer.concat(chunks.map((c) => c.chunk)));
    done();
  }

  override _final(done: (error?: Error) => void): void {
    this.#port.close();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#port.close();
    done(error);
  }

  #send(bytes: Buffer): void {
    // Copy the bytes: pooled buffers must not be transferred.
    const own = new Uint8Array(bytes);
    this.#port.postMessage(own, [own.buffer]);
  }
}
