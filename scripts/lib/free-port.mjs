// Ports for servers that tests start. They come from below the range from which the system gives ports to outgoing connections
// (32768 and above on Linux), so that no connection takes one between the search and the server's start.
import { createServer } from "node:net";

const FIRST = 20_000;
const COUNT = 12_000;
/** Ports between the places where two processes with neighbouring ids begin. */
const APART = 37;

let next = (process.pid * APART) % COUNT;

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });

/** @returns {Promise<number>} a port on which nothing listens; this process gets each port once */
export async function freePort() {
  for (let tries = 0; tries < COUNT; tries += 1) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error("no port is free");
}
