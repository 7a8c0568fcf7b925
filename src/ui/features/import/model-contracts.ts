/** What can be done in the import wizard, and what its model needs. */
import type { ErrorCode } from "../../../shared/errors.ts";
import type { Opened, Source, TotalDecision } from "../../../shared/protocol/import-worker.ts";
import type { ImportMode } from "../../../shared/protocol/import-model.ts";
import type { CoreClient } from "../../../core-client/contracts.ts";
import type { ImportWorker } from "../../../core-client/import-worker.ts";
import type { CorrectionStore } from "./corrections.ts";
import type { ImportDraft } from "./draft.ts";
import type { ImportState, Step } from "./model-state.ts";
import type { WantedDepartment } from "./new-departments.ts";
import type { Remembered } from "./remembered.ts";

export interface ImportModel {
  readonly state: ImportState;
  choose(file: File): void;
  /** Goes on with the work of before a reload, if there is any. */
  restore(): void;
  /** Does again what failed with a missing script. */
  again(): void;
  /** Reads the file again with another sheet, encoding, delimiter or header row. */
  setSource(source: Source): void;
  setField(column: number, field: string | null): void;
  setMode(mode: ImportMode): void;
  check(): void;
  toStep(step: Step): void;
  send(): void;
  /** Stops the running work. */
  stop(): void;
  reset(): void;
  edit(row: number, column: number, value: string): Promise<void>;
  /** @returns number of changed cells */
  replace(column: number, from: string, to: string): Promise<number>;
  /** Writes the further telephone numbers of a column to the remarks. */
  moveSpare(column: number): Promise<void>;
  undo(): Promise<void>;
  decideTotal(decision: TotalDecision): Promise<void>;
  /** Forgets the corrections of this file. */
  dropCorrections(): void;
  /** Creates departments that the file names, reads the company again and checks again. */
  createDepartments(wanted: readonly WantedDepartment[]): Promise<void>;
  /** Reads the company's fields again; `newer` says whether they changed. */
  lookAtFields(): Promise<void>;
  /** Takes over the changed fields. Columns and corrections stay. */
  adoptFields(): void;
  /** Terminates the worker. Idempotent; the model can be used again. */
  dispose(): void;
}

export interface ImportModelDeps {
  readonly core: Pick<CoreClient, "commands" | "state">;
  readonly spawn: () => ImportWorker;
  readonly remembered: Remembered;
  readonly store: CorrectionStore;
  readonly draft: ImportDraft;
  readonly isInvite: boolean;
}

/** Errors of a worker that did not start; they say nothing about the file. */
export const MISSING: ReadonlySet<ErrorCode> = new Set([
  "code.replaced",
  "server.unavailable",
  "server.unreachable",
  "core.gone",
]);

/** The sheet that is shown first. */
export const firstShown = ({ sheets }: Opened): Source => ({
  sheet: sheets.find((one) => !one.hidden)?.index ?? 0,
});
