/**
 * The wizard's view model: one import worker for one file, its results, and the current step. It uses no component; the worker and
 * the core are injected.
 */
import { proxy, ref } from "valtio/vanilla";
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import type {
  Checked,
  Opened,
  ReadProgress,
  Source,
  TotalDecision,
} from "../../../shared/protocol/import-worker.ts";
import type { ImportMode } from "../../../shared/protocol/import-model.ts";
import type { CoreClient } from "../../../core-client/contracts.ts";
import type { ImportWorker } from "../../../core-client/import-worker.ts";
import type { ImportChange, ImportDraft, ImportWork } from "./draft.ts";
import type { Remembered } from "./remembered.ts";
import { type ImportState, start, type Step } from "./state.ts";

export type { ImportState, Step } from "./state.ts";

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
  undo(): Promise<void>;
  decideTotal(decision: TotalDecision): Promise<void>;
  /** Terminates the worker. Idempotent; the model can be used again. */
  dispose(): void;
}

/** Errors of a worker that did not start; they say nothing about the file. */
const MISSING: ReadonlySet<ErrorCode> = new Set([
  "code.replaced",
  "server.unavailable",
  "server.unreachable",
  "core.gone",
]);

const firstShown = ({ sheets }: Opened): Source => ({
  sheet: sheets.find((one) => !one.hidden)?.index ?? 0,
});

export function createImportModel(deps: {
  readonly core: Pick<CoreClient, "commands" | "state">;
  readonly spawn: () => ImportWorker;
  readonly remembered: Remembered;
  readonly draft: ImportDraft;
  readonly isInvite: boolean;
}): ImportModel {
  const { core, spawn, remembered, draft, isInvite } = deps;
  const { imports } = core.commands;
  const state = proxy<ImportState>(start("insert"));
  const patch = (next: Partial<ImportState>): void => void Object.assign(state, next);
  /** Number of the newest work; results of older work are ignored. */
  let turn = 0;
  let worker: ImportWorker | null = null;
  /** The file that was chosen last. */
  let chosen: File | null = null;
  /** What the person changed since the last check. */
  let changes: ImportChange[] = [];

  const keep = (): void => {
    const { sheet = 0, headerRow = null, ...source } = state.source;
    state.kept = draft.keep({
      source: { ...source, sheet, headerRow },
      mode: state.mode,
      mapping: state.loaded === null ? null : [...state.mapping],
      checked: state.step === "check",
      changes: state.step === "check" ? changes : [],
    });
  };
  const drop = (): void => {
    turn += 1;
    worker?.terminate();
    worker = null;
    state.worker = null;
  };
  /** The work is sent or discarded. */
  const giveUp = (): void => {
    drop();
    draft.drop();
    chosen = null;
  };
  const fail = (error: unknown): void => {
    const known = AppError.from(error);
    patch({ busy: null, error: known.code === "import.cancelled" ? null : ref(known) });
    // another attempt would not read the file either
    if (state.opened === null && !MISSING.has(known.code)) draft.drop();
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

  /** Makes a change of the checked table and keeps it for a reload. */
  const change = async <R extends Checked>(what: ImportChange, work: Promise<R>): Promise<R> => {
    const result = await work;
    changes.push(what);
    changed(result);
    keep();
    return result;
  };
  const apply = (what: ImportChange): Promise<Checked> => {
    const { edit, replace, undo, decideTotal } = api();
    if (what.do === "edit") return edit(what.row, what.column, what.value);
    if (what.do === "replace") return replace(what.column, what.from, what.to);
    return what.do === "undo" ? undo() : decideTotal(what.decision);
  };
  const load = async (source: Source, alive: () => boolean): Promise<void> => {
    const preview = await api().preview(source);
    if (!alive()) return;
    patch({ preview: ref(preview), step: "map", busy: { phase: "read", rows: 0, part: null } });
    const [loaded, context] = await Promise.all([
      api().load({ ...source, headerRow: preview.headerRow }, reporting(alive)),
      imports.context({}),
    ]);
    if (!alive()) return;
    const found = remembered.recall(context.supplierId, loaded.headers);
    const { mapping, by } = await api().suggest(context, found);
    if (alive()) {
      patch({ loaded: ref(loaded), context: ref(context), mapping, by: [...by], busy: null });
      keep();
    }
  };
  const open = async (file: File, alive: () => boolean): Promise<Opened | null> => {
    worker = spawn();
    state.worker = ref(worker);
    const opened = await api().open(file, file.name);
    if (!alive()) return null;
    state.opened = ref(opened);
    return opened;
  };
  const checkNow = async (alive: () => boolean): Promise<void> => {
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
    changes = [];
    changed(checked);
    patch({ step: "check", busy: null });
  };
  const goOn = async (
    { file, work }: { readonly file: File; readonly work: ImportWork },
    alive: () => boolean,
  ): Promise<void> => {
    chosen = file;
    patch({ ...start(work.mode), fileName: file.name, busy: "open", restored: true, kept: true });
    const opened = await open(file, alive);
    if (opened === null) return;
    // columns that were never shown: the sheet was not chosen either
    const source = work.mapping === null ? firstShown(opened) : work.source;
    // not read from the state: its proxy cannot be sent to the worker
    state.source = { ...source };
    await load(source, alive);
    if (!alive() || work.mapping?.length !== state.mapping.length) return;
    const found = state.mapping;
    state.by = state.by.map((one, i) => (found[i] === work.mapping?.[i] ? one : "own"));
    state.mapping = [...work.mapping];
    if (work.checked) {
      await checkNow(alive);
      for (const what of work.changes) {
        const checked = await apply(what);
        if (!alive()) return;
        changes.push(what);
        changed(checked);
      }
    }
    keep();
  };
  const choose = (file: File): void => {
    drop();
    chosen = file;
    patch({ ...start(state.mode), fileName: file.name, busy: "open" });
    run(async (alive) => {
      void draft.begin(file).then((stored) => {
        if (stored && chosen === file) keep();
      });
      const opened = await open(file, alive);
      if (opened === null) return;
      state.source = firstShown(opened);
      await load(firstShown(opened), alive);
    });
  };

  return {
    state,
    choose,
    restore() {
      run(async (alive) => {
        const found = await draft.read();
        if (found !== null && alive()) await goOn(found, alive);
      });
    },
    again() {
      if (chosen !== null) choose(chosen);
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
      keep();
    },
    setMode(mode) {
      state.mode = mode;
      keep();
    },
    check() {
      run(async (alive) => {
        await checkNow(alive);
        if (alive()) keep();
      });
    },
    toStep(step) {
      patch({ step, error: null });
      keep();
    },
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
        giveUp();
        patch({ key, step: "send", busy: null });
      });
    },
    stop() {
      if (state.loaded === null) {
        giveUp();
        patch(start(state.mode));
        return;
      }
      turn += 1;
      state.busy = null;
      worker?.api.cancel().catch(() => undefined);
    },
    reset() {
      giveUp();
      patch(start(state.mode));
    },
    async edit(row, column, value) {
      await change({ do: "edit", row, column, value }, api().edit(row, column, value));
    },
    async replace(column, from, to) {
      const what = { do: "replace", column, from, to } as const;
      return (await change(what, api().replace(column, from, to))).changed;
    },
    async undo() {
      await change({ do: "undo" }, api().undo());
    },
    async decideTotal(decision) {
      await change({ do: "total", decision }, api().decideTotal(decision));
    },
    dispose: drop,
  };
}
