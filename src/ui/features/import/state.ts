/** What the import wizard shows. */
import type { AppError } from "../../../shared/errors.ts";
import type {
  Checked,
  Loaded,
  Mapping,
  Opened,
  Preview,
  ReadProgress,
  Source,
  Suggestion,
} from "../../../shared/protocol/import-worker.ts";
import type { ImportMode } from "../../../shared/protocol/import-model.ts";
import type { ImportContext } from "../../../shared/protocol/rest/imports.ts";
import type { ImportWorker } from "../../../core-client/import-worker.ts";

export type Step = "file" | "map" | "check" | "send";
export type MatchedBy = Suggestion["by"][number] | "own";

export interface ImportState {
  step: Step;
  fileName: string;
  opened: Opened | null;
  source: Source;
  preview: Preview | null;
  loaded: Loaded | null;
  context: ImportContext | null;
  mapping: Mapping;
  by: readonly MatchedBy[];
  mode: ImportMode;
  checked: Checked | null;
  /** Raised with every change of the table, so that its windows are requested again. */
  version: number;
  /** The running work; null when idle. */
  busy: ReadProgress | "open" | null;
  error: AppError | null;
  /** Key of the job that was passed to the core. */
  key: string | null;
  /** The file and what was done with it are there again after a reload. */
  kept: boolean;
  /** The wizard goes on with work of before a reload. */
  restored: boolean;
  /** The worker whose table can be shown. */
  worker: ImportWorker | null;
}

export const start = (mode: ImportMode): ImportState => ({
  step: "file",
  fileName: "",
  opened: null,
  source: {},
  preview: null,
  loaded: null,
  context: null,
  mapping: [],
  by: [],
  mode,
  checked: null,
  version: 0,
  busy: null,
  error: null,
  key: null,
  kept: false,
  restored: false,
  worker: null,
});
