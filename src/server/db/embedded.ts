/** The embedded database: PGlite in a thread of its own, reached by node-postgres. */
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { ProtocolStream } from "./protocol-stream.ts";
import type { FromThread, ThreadData, ToThread } from "./pglite-thread.ts";

export interface Embedded {
  /** A new connection; the database serves one at a time, so the pool holds one. */
  connect(): ProtocolStream;
  /** Idempotent. */
  close(): Promise<void>;
}

/**
 * @param dataDir folder of the database files, made when missing
 * @param onLost the thread ended by itself; every later query fails
 */
export async function startEmbedded(
  dataDir: string,
  onLost: (error: Error) => void,
): Promise<Embedded> {
  const data: ThreadData = { dataDir };
  const thread = new Worker(new URL("./thread-entry.mjs", import.meta.url), {
    workerData: data,
    // not the process's own: --import tsx is looked up from the current folder
    execArgv: [],
  });
  const streams = new Set<ProtocolStream>();
  let closing: Promise<void> | null = null;
  let lost: Error | null = null;

  const fail = (error: Error): void => {
    if (lost !== null) return;
    lost = error;
    for (const stream of streams) stream.destroy(error);
    if (closing === null) onLost(error);
  };
  const exited = new Promise<void>((resolve) => thread.once("exit", () => resolve()));

  await new Promise<void>((resolve, reject) => {
    thread.on("message", (message: FromThread) => {
      if ("ready" in message) resolve();
    });
    thread.on("error", (error) => {
      const wrapped = new Error("the embedded database could not go on", { cause: error });
      reject(wrapped);
      fail(wrapped);
    });
    thread.on("exit", (code) => {
      const ended = new Error(`the embedded database ended (code ${code})`);
      reject(ended);
      fail(ended);
    });
  });

  const tell = (message: ToThread, transfer: readonly MessagePort[] = []): void =>
    thread.postMessage(message, [...transfer]);

  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      const stream = new ProtocolStream(port1);
      streams.add(stream);
      stream.once("close", () => streams.delete(stream));
      if (lost === null) tell({ connect: port2 }, [port2]);
      else process.nextTick(() => stream.destroy(lost ?? undefined));
      return stream;
    },
    close() {
      closing ??= (async () => {
        if (lost === null) tell({ close: true });
        await exited;
      })();
      return closing;
    },
  };
}
