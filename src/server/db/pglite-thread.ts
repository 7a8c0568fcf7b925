/** Entry of the thread that holds the embedded database, because PGlite works on the thread that calls it. */
import { parentPort, workerData } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { createProtocolServer } from "./protocol-server.ts";

export interface ThreadData {
  readonly dataDir: string;
}
export type ToThread = { readonly connect: MessagePort } | { readonly close: true };
export type FromThread = { readonly ready: true } | { readonly closed: true };

const main = parentPort;
if (main === null) throw new Error("pglite-thread.ts is the entry of a worker thread");

const pg = await PGlite.create({ dataDir: (workerData as ThreadData).dataDir });
const server = createProtocolServer(pg);
const say = (message: FromThread): void => main.postMessage(message);

main.on("message", (message: ToThread) => {
  if ("connect" in message) {
    server.attach(message.connect);
    return;
  }
  void pg.close().then(() => {
    say({ closed: true });
    main.close();
  });
});
say({ ready: true });
