/**
 * The wizard's view model: one import worker for one file, its results, and the current step. It uses no component; the worker and
 * the core are injected.
 */
import { proxy, ref } from "valtio/vanilla";
import { AppError } from "../../../shared/errors.ts";
import type {
  Checked,
  Correction,
  ReadProgress,
  Source,
  TotalDecision,
} from "../../../shared/protocol/import-worker.ts";
import type { ImportMode } from "../../../shared/protocol/import-model.ts";
import type { CoreClient } from "../../../core-client/contracts.ts";
import type { ImportWorker } from "../../../core-client/import-worker.ts";
import { type ImportState, start, type Step } from "./model-state.ts";
import type { CorrectionsOf, CorrectionStore, KeptCorrections } from "./corrections.ts";
import { createDepartments, type WantedDepartment } from "./new-departments.ts";
import type { Remembered } from "./remembered.ts";

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
  /** Forgets the corrections of this file. */
  dropCorrections(): void;
  /** Creates departments that the file names, reads the company again and checks again. */
  createDepartments(wanted: readonly WantedDepartment[]): Promise<void>;
  /** Terminates the worker. Idempotent; the model can be used again. */
  dispose(): void;
}

export function createImportModel(deps: {
  readonly core: Pick<CoreClient, "commands" | "state">;
  readonly spawn: () => ImportWorker;
  readonly remembered: Remembered;
  readonly store: CorrectionStore;
  readonly isInvite: boolean;
}): ImportModel {
  const { core, spawn, remembered, store, isInvite } = deps;
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

  const of = (): CorrectionsOf | null =>
    state.loaded === null || state.context === null
      ? null
      : {
          accountId: core.state.session.accountId ?? "",
          supplierId: state.context.supplierId,
          fileHash: state.loaded.fileHash,
        };
  let decision: TotalDecision = "ask";
  /** Keeps the corrections of this file as they are now. */
  const keep = (corrections: readonly Correction[]): void => {
    patch({ corrections: ref([...corrections]), keptAt: null });
    const key = of();
    if (key !== null) void store.save(key, { corrections: [...corrections], decision });
  };
  const offer = (kept: KeptCorrections | null): void => {
    decision = kept?.decision ?? "ask";
    patch({
      corrections: ref(kept?.corrections ?? []),
      keptAt: kept === null || kept.corrections.length === 0 ? null : kept.at,
    });
  };
  /** Checks with the corrections that were made before. */
  const checkAgain = async (alive: () => boolean): Promise<void> => {
    const { mapping, mode, context } = state;
    if (context === null) return;
    let checked = await api().check(
      { mapping: [...mapping], mode, context },
      (numbers) => imports.taken(numbers),
      reporting(alive),
    );
    if (alive() && state.corrections.length > 0) {
      const { made, ...corrected } = await api().correct(state.corrections);
      checked = corrected;
      // Those of columns that are left out now stay, in front of those that can be undone.
      const isMade = (_: Correction, i: number): boolean => made[i] === true;
      const others = state.corrections.filter((_, i) => made[i] !== true);
      if (alive()) keep([...others, ...state.corrections.filter(isMade)]);
    }
    if (alive() && decision !== "ask" && checked.total !== null) {
      checked = await api().decideTotal(decision);
    }
    if (alive()) changed(checked);
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
    const { mapping, by, filled } = await api().suggest(context, found);
    if (!alive()) return;
    patch({ loaded: ref(loaded), context: ref(context), mapping, by: [...by], filled });
    const key = of();
    const kept = key === null ? null : await store.load(key);
    if (!alive()) return;
    offer(kept);
    patch({ busy: null });
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
        const { mapping, context, loaded } = state;
        if (context === null || loaded === null) return;
        patch({ busy: { phase: "check", rows: 0, part: null }, error: null });
        remembered.remember(context.supplierId, loaded.headers, mapping);
        await checkAgain(alive);
        if (alive()) patch({ step: "check", busy: null });
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
        // They are in the staged rows now.
        decision = "ask";
        keep([]);
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
    async edit(row, column, value) {
      const { changed: cells, ...checked } = await api().edit(row, column, value);
      changed(checked);
      if (cells > 0) keep([...state.corrections, { kind: "edit", row, column, value }]);
    },
    async replace(column, from, to) {
      const { changed: cells, ...checked } = await api().replace(column, from, to);
      changed(checked);
      if (cells > 0) keep([...state.corrections, { kind: "replace", column, from, to }]);
      return cells;
    },
    async undo() {
      changed(await api().undo());
      keep(state.corrections.slice(0, -1));
    },
    async decideTotal(wanted) {
      changed(await api().decideTotal(wanted));
      decision = wanted;
      keep(state.corrections);
    },
    dropCorrections() {
      decision = "ask";
      keep([]);
    },
    async createDepartments(wanted) {
      try {
        await createDepartments(core.commands.rest, wanted);
      } finally {
        // Those that were created before a failure are there.
        const context = await imports.context({});
        state.context = ref(context);
        run(async (alive) => {
          patch({ busy: { phase: "check", rows: 0, part: null }, error: null });
          await checkAgain(alive);
          if (alive()) patch({ busy: null });
        });
      }
    },
    dispose: drop,
  };
}
