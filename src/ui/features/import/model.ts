/**
 * The wizard's view model: one import worker for one file, its results, and the current step. It uses no component; the worker and
 * the core are injected.
 */
import { proxy, ref } from "valtio/vanilla";
import { AppError } from "../../../shared/errors.ts";
import type {
  Checked,
  Loaded,
  Mapping,
  Opened,
  Preview,
  ReadProgress,
  Source,
  Suggestion,
  TotalDecision,
} from "../../../shared/protocol/import-worker.ts";
import type { ImportMode } from "../../../shared/protocol/import-model.ts";
import type { ImportContext } from "../../../shared/protocol/rest/imports.ts";
import type { CoreClient } from "../../../core-client/contracts.ts";
import type { ImportWorker } from "../../../core-client/import-worker.ts";
import type { Remembered } from "./remembered.ts";

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
  /** The worker whose table can be shown. */
  worker: ImportWorker | null;
}

const start = (mode: ImportMode): ImportState => ({
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
  worker: null,
});

export interface ImportModel {
  readonly state: ImportState;
  choose(file: File): void;
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
  undo(): Promise<void>;
  decideTotal(decision: TotalDecision): Promise<void>;
  /** Terminates the worker. Idempotent; the model can be used again. */
  dispose(): void;
}

export function createImportModel(deps: {
  readonly core: Pick<CoreClient, "commands" | "state">;
  readonly spawn: () => ImportWorker;
  readonly remembered: Remembered;
  readonly isInvite: boolean;
}): ImportModel {
  const { core, spawn, remembered, isInvite } = deps;
  const { imports } = core.commands;
  const state = proxy<ImportState>(start("insert"));
  const patch = (next: Partial<ImportState>): void => void Object.assign(state, next);
  /** Number of the newest work; results of older work are ignored. */
  let turn = 0;
  let worker: ImportWorker | null = null;

  const drop = (): void => {
    turn += 1;
    worker?.terminate();
    worker = null;
    state.worker = null;
  };
  const fail = (error: unknown): void => {
    const known = AppError.from(error);
    patch({ busy: null, error: known.code === "import.cancelled" ? null : ref(known) });
  };
  /** Runs work that can fail. A newer run or a reset makes this one ignore its results. */
  const run = (work: (alive: () => boolean) => Promise<void>): void => {
    turn += 1;
    const mine = turn;
    const alive = (): boolean => turn === mine;
    work(alive).catch((error: unknown) => {
      if (alive()) fail(error);
    });
  };
  const api = () => {
    if (worker === null) throw new AppError("import.cancelled");
    return worker.api;
  };
  const changed = (checked: Checked): void =>
    patch({ checked, version: state.version + 1, error: null });
  const reporting =
    (alive: () => boolean) =>
    (busy: ReadProgress): void => {
      // Progress arrives on a separate port, so the last report may arrive after the result.
      if (alive() && state.busy !== null) state.busy = busy;
    };

  const load = async (source: Source, alive: () => boolean): Promise<void> => {
    const preview = await api().preview(source);
    if (!alive()) return;
    patch({ preview: ref(preview), step: "map", busy: { phase: "read", rows: 0, part: null } });
    const [loaded, context] = await Promise.all([
      api().load(
        { ...source, headerRow: preview.headerRow, headerEnd: preview.headerEnd },
        reporting(alive),
      ),
      imports.context({}),
    ]);
    if (!alive()) return;
    const found = remembered.recall(context.supplierId, loaded.headers);
    const { mapping, by } = await api().suggest(context, found);
    if (alive()) {
      patch({ loaded: ref(loaded), context: ref(context), mapping, by: [...by], busy: null });
    }
  };

  return {
    state,
    choose(file) {
      drop();
      patch({ ...start(state.mode), fileName: file.name, busy: "open" });
      run(async (alive) => {
        worker = spawn();
        state.worker = ref(worker);
        const opened = await api().open(file, file.name);
        if (!alive()) return;
        const source: Source = { sheet: opened.sheets.find((one) => !one.hidden)?.index ?? 0 };
        patch({ opened: ref(opened), source });
        await load(source, alive);
      });
    },
    setSource(source) {
      patch({ source, loaded: null, mapping: [], by: [], error: null });
      run(async (alive) => {
        await api().cancel();
        await load(source, alive);
      });
    },
    setField(column, field) {
      state.mapping = state.mapping.map((one, i) => (i === column ? field : one));
      state.by = state.by.map((one, i) => (i === column ? "own" : one));
    },
    setMode(mode) {
      state.mode = mode;
    },
    check() {
      run(async (alive) => {
        const { mapping, mode, context, loaded } = state;
        if (context === null || loaded === null) return;
        patch({ busy: { phase: "check", rows: 0, part: null }, error: null });
        remembered.remember(context.supplierId, loaded.headers, mapping);
        const checked = await api().check(
          { mapping: [...mapping], mode, context },
          (numbers) => imports.taken(numbers),
          reporting(alive),
        );
        if (!alive()) return;
        changed(checked);
        patch({ step: "check", busy: null });
      });
    },
    toStep: (step) => patch({ step, error: null }),
    send() {
      run(async (alive) => {
        const accountId = core.state.session.accountId ?? "";
        patch({ busy: { phase: "stage", rows: 0, part: null }, error: null });
        const { key } = await api().stage(
          { fileName: state.fileName, isInvite, accountId },
          reporting(alive),
        );
        await imports.start({ key });
        if (!alive()) return;
        // the core has the staged rows, so the table is no longer needed
        drop();
        patch({ key, step: "send", busy: null });
      });
    },
    stop() {
      if (state.loaded === null) {
        drop();
        patch(start(state.mode));
        return;
      }
      turn += 1;
      state.busy = null;
      worker?.api.cancel().catch(() => undefined);
    },
    reset() {
      drop();
      patch(start(state.mode));
    },
    edit: async (row, column, value) => changed(await api().edit(row, column, value)),
    async replace(column, from, to) {
      const { changed: cells, ...checked } = await api().replace(column, from, to);
      changed(checked);
      return cells;
    },
    undo: async () => changed(await api().undo()),
    decideTotal: async (decision) => changed(await api().decideTotal(decision)),
    dispose: drop,
  };
}
