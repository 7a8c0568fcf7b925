// Where the media process starts.
import { runEntry } from "../../../base/run-entry.mjs";

await runEntry("media");
