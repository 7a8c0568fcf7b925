/** The thread that inflates for the import worker. */
import { createInflateServer } from "./read/inflate-server.ts";

const take = createInflateServer((message, transfer = []) =>
  globalThis.postMessage(message, { transfer }),
);
globalThis.onmessage = ({ data }: MessageEvent<unknown>) => take(data);
