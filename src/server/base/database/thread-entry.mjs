// @ts-check
// The thread of the embedded database: PGlite runs on the thread that calls it. Plain JavaScript, because a TypeScript compiler in
// the thread would take 50 MB more.
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { createProtocolServer } from "./protocol-server.mjs";

/** @typedef {import("./embedded.ts").FromThread} FromThread */
/** @typedef {import("./embedded.ts").ToThread} ToThread */

const main = parentPort;
if (main === null) throw new Error("thread-entry.mjs is the entry of a worker thread");

/** PGlite's default is 128 MB, which stay in memory once used. The system caches the files anyway. */
const SHARED_BUFFERS = "32MB";

/** @type {import("./embedded.ts").ThreadData} */
const { dataDir } = workerData;
const pg = await PGlite.create({
  dataDir,
  startParams: [...PGlite.defaultStartParams, "-c", `shared_buffers=${SHARED_BUFFERS}`],
});
const server = createProtocolServer(pg);
const postToMain = (/** @type {FromThread} */ message) => main.postMessage(message);

main.on("message", (/** @type {ToThread} */ message) => {
  if ("connect" in message) {
    server.attach(message.connect);
    return;
  }
  void pg.close().then(() => {
    postToMain({ closed: true });
    main.close();
  });
});
postToMain({ ready: true });
