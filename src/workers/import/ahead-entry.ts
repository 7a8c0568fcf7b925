/** Entry file of the read-ahead worker, which inflates and reads rows ahead of the import worker. */
import { createAheadServer } from "./read/ahead-server.ts";
import type { FromAhead } from "../../shared/protocol/read-ahead.ts";
import { createPause } from "./pause.ts";

const handleMessage = createAheadServer(
  (message, transfer = []) => globalThis.postMessage(message, { transfer }),
  createPause(),
);
globalThis.onmessage = ({ data }: MessageEvent<unknown>) => handleMessage(data);
globalThis.postMessage({ ready: true } satisfies FromAhead);
