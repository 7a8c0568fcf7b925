/** What the import wizard shows: the state of its model, as one typed object. */
import type { AppError } from "../../../shared/errors.ts";
import type {
  Checked,
  Correction,
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
  /** The company, with the fields of when the file was opened. */
  context: ImportContext | null;
  /** The company with other fields than those of `context`; null: they are the same. */
  newer: ImportContext | null;
  mapping: Mapping;
  by: readonly MatchedBy[];
  mode: ImportMode;
  /** Per column: number of filled cells. */
  filled: readonly number[];
  checked: Checked | null;
  /** Corrections of this file, in their order: of this check, or kept from an earlier one. */
  corrections: readonly Correction[];
  /** When the corrections were kept, if they are offered and not yet made in this page. In ms since 1970. */
  keptAt: number | null;
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

/** Before a file is chosen. */
export const start = (mode: ImportMode): ImportState => ({
  step: "file",
  fileName: "",
  opened: null,
  source: {},
  preview: null,
  loaded: null,
  context: null,
  newer: null,
  mapping: [],
  by: [],
  mode,
  filled: [],
  checked: null,
  corrections: [],
  keptAt: null,
  version: 0,
  busy: null,
  error: null,
  key: null,
  kept: false,
  restored: false,
  worker: null,
});
