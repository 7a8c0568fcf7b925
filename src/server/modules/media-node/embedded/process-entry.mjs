// Where the media process starts: plain JavaScript, because a process's own first file is loaded before tsx can be there.
import { register } from "tsx/esm/api";

register();
await import("./process.ts");
