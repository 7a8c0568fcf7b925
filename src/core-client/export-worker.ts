/** Starts the export worker of a tab. Only this file names its URL. */
import type { ExportApi } from "../shared/protocol/export-worker.ts";
import type { CoreClient } from "./contracts.ts";
import { type DedicatedWorker, dedicatedWorker } from "./dedicated-worker.ts";

export function spawnExportWorker({ look }: Pick<CoreClient, "look">): DedicatedWorker<ExportApi> {
  const worker = new Worker(new URL("../workers/export/entry.ts", import.meta.url), {
    type: "module",
    name: "export",
  });
  return dedicatedWorker<ExportApi>(
    worker,
    { begin: true, add: true, finish: true },
    "list.export-cancelled",
    look,
  );
}
