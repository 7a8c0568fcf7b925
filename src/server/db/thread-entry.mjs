// Where a worker thread starts: plain JavaScript, because a thread's own first file is loaded before tsx can be there.
import { register } from "tsx/esm/api";

register();
await import("./pglite-thread.ts");
