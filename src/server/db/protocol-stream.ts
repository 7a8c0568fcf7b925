/**
 * The socket that node-postgres believes it has: bytes of the wire protocol go through a MessagePort to whoever answers at
 * its other end (protocol-server.mjs). So the embedded database is asked with the very driver that asks PostgreSQL.
 */
import { Duplex } from "node:stream";
import type { MessagePort } from "node:worker_threads";

/** What the answering end sends: bytes, or the text of an error after which the connection is dead. */
export type ProtocolReply = Uint8Array<ArrayBuffer> | { readonly failed: string };

export class ProtocolStream extends Duplex {
  readonly #port: MessagePort;

  /** @param port becomes the stream's own; closed with it */
  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on("message", (reply: ProtocolReply) => {
      if (reply instanceof Uint8Array) this.push(Buffer.from(reply.buffer));
      else this.destroy(new Error(reply.failed));
    });
    port.on("close", () => this.destroy());
  }

  /** net.Socket's part in node-postgres: the channel is there already. */
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
    // replies are pushed as they come: at most one request is under way
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#send(chunk);
    done();
  }

  /**
   * The driver corks the messages of one query; they must arrive as one, because each arrival is executed to its end and
   * a Parse without its Sync would be answered with nothing.
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
    // a copy of its own: pooled buffers must not be transferred
    const own = new Uint8Array(bytes);
    this.#port.postMessage(own, [own.buffer]);
  }
}
