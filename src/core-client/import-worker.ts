/** Starts the import worker of a tab. Only this file names its URL. */
import type { ImportApi } from "../shared/protocol/import-worker.ts";
import type { CoreClient } from "./contracts.ts";
import { type DedicatedWorker, dedicatedWorker } from "./dedicated-worker.ts";

export type ImportWorker = DedicatedWorker<ImportApi<Blob>>;

export function spawnImportWorker({ look }: Pick<CoreClient, "look">): ImportWorker {
  const worker = new Worker(new URL("../workers/import/entry.ts", import.meta.url), {
    type: "module",
    name: "import",
  });
  return dedicatedWorker<ImportApi<Blob>>(
    worker,
    {
      open: true,
      preview: true,
      load: true,
      suggest: true,
      check: true,
      window: true,
      values: true,
      edit: true,
      replace: true,
      undo: true,
      correct: true,
      decideTotal: true,
      stage: true,
      report: true,
      template: true,
      cancel: true,
    },
    "import.cancelled",
    look,
  );
}
