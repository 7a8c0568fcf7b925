// Where the server starts.
import { runEntry } from "./base/run-entry.mjs";

await runEntry("server");
