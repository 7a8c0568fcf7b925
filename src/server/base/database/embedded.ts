/** The embedded database: PGlite in a separate thread, accessed through node-postgres. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { sourcePath } from "../source-path.ts";
import { makeEmptyFiles } from "./empty-files.ts";
import { closeFolder } from "./modes.ts";
import { ProtocolStream } from "./protocol-stream.ts";

/** Messages between this file and thread-entry.mjs. */
export interface ThreadData {
  readonly dataDir: string;
}
export type ToThread = { readonly connect: MessagePort } | { readonly close: true };
export type FromThread = { readonly ready: true } | { readonly closed: true };

export interface Embedded {
  /** Opens a connection. The database serves one at a time, so the pool holds only one. */
  connect(): ProtocolStream;
  /** Idempotent. */
  close(): Promise<void>;
}

const THREAD_ENTRY = sourcePath("src/server/base/database/thread-entry.mjs");

/**
 * Creates the files of an empty database unless they exist. The files are created in another folder and then moved, so that a
 * start killed midway leaves no incomplete database.
 *
 * @throws Error when the files cannot be created
 */
async function makeFiles(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, "PG_VERSION"))) return;
  const part = `${dataDir}.part`;
  rmSync(part, { recursive: true, force: true });
  // Accessible to its owner only, because PGlite creates files that everyone may write.
  mkdirSync(part, { recursive: true, mode: 0o700 });
  try {
    await makeEmptyFiles(part);
  } catch (error) {
    throw new Error("the embedded database could not be made", { cause: error });
  }
  // An empty folder may exist at the destination.
  rmSync(dataDir, { recursive: true, force: true });
  renameSync(part, dataDir);
}

/**
 * @param dataDir folder of the database files, created when missing
 * @param onLost called when the thread ended unexpectedly; every later query fails
 */
export async function startEmbedded(
  dataDir: string,
  onLost: (error: Error) => void,
): Promise<Embedded> {
  await makeFiles(dataDir);
  const data: ThreadData = { dataDir };
  const thread = new Worker(THREAD_ENTRY, {
    workerData: data,
    // Do not inherit the process's arguments: --import tsx would be resolved from the current folder.
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

  // PGlite unpacks a new database with files that everyone may write.
  closeFolder(dataDir);

  const postToThread = (message: ToThread, transfer: readonly MessagePort[] = []): void =>
    thread.postMessage(message, [...transfer]);

  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      const stream = new ProtocolStream(port1);
      streams.add(stream);
      stream.once("close", () => streams.delete(stream));
      if (lost === null) postToThread({ connect: port2 }, [port2]);
      else process.nextTick(() => stream.destroy(lost ?? undefined));
      return stream;
    },
    close() {
      closing ??= (async () => {
        if (lost === null) postToThread({ close: true });
        await exited;
      })();
      return closing;
    },
  };
}
