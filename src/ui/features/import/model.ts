/**
 * The wizard's view model: one import worker for one file, its results, and the current step. It uses no component; the worker and
 * the core are injected.
 */
import { proxy, ref } from "valtio/vanilla";
import { AppError } from "../../../shared/errors.ts";
import type {
  Checked,
  Correction,
  Opened,
  ReadProgress,
  Source,
} from "../../../shared/protocol/import-worker.ts";
import type { ImportWorker } from "../../../core-client/import-worker.ts";
import { firstShown, type ImportModel, type ImportModelDeps, MISSING } from "./model-contracts.ts";
import { type ImportState, start } from "./model-state.ts";
import { createFileCorrections } from "./file-corrections.ts";
import type { ImportWork } from "./draft.ts";
import { createDepartments } from "./new-departments.ts";
import { createOpenFields } from "./open-fields.ts";

export function createImportModel(deps: ImportModelDeps): ImportModel {
  const { core, spawn, remembered, store, draft, isInvite } = deps;
  const { imports } = core.commands;
  const state = proxy<ImportState>(start("insert"));
  const patch = (next: Partial<ImportState>): void => void Object.assign(state, next);
  const fields = createOpenFields(state, () => imports.context({}));
  /** Number of the newest work; results of older work are ignored. */
  let turn = 0;
  let worker: ImportWorker | null = null;
  /** The file that was chosen last. */
  let chosen: File | null = null;

  /** Keeps file, columns and step for a reload. The corrections have a store of their own. */
  const keepDraft = (): void => {
    const { sheet = 0, headerRow = null, headerEnd = null, fill = false, ...text } = state.source;
    state.kept = draft.keep({
      source: { ...text, sheet, headerRow, headerEnd, fill },
      mode: state.mode,
      mapping: state.loaded === null ? null : [...state.mapping],
      checked: state.step === "check",
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
    const thisTurn = turn;
    const alive = (): boolean => turn === thisTurn;
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

  const own = createFileCorrections(state, store, () => core.state.session.accountId ?? "");
  const { keep } = own;
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
    if (alive() && own.decision !== "ask" && checked.total !== null) {
      checked = await api().decideTotal(own.decision);
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
    patch({
      loaded: ref(loaded),
      context: ref(context),
      newer: null,
      mapping,
      by: [...by],
      filled,
    });
    await own.offer(alive);
    if (!alive()) return;
    patch({ busy: null });
    keepDraft();
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
    const { mapping, context, loaded } = state;
    if (context === null || loaded === null) return;
    patch({ busy: { phase: "check", rows: 0, part: null }, error: null });
    remembered.remember(context.supplierId, loaded.headers, mapping);
    await checkAgain(alive);
    if (!alive()) return;
    patch({ step: "check", busy: null });
    keepDraft();
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
    if (work.checked) await checkNow(alive);
    else keepDraft();
  };
  const choose = (file: File): void => {
    drop();
    chosen = file;
    patch({ ...start(state.mode), fileName: file.name, busy: "open" });
    run(async (alive) => {
      const keeping = draft.begin(file).then((stored) => {
        if (stored && chosen === file) keepDraft();
      });
      const opened = await open(file, alive).catch(async (error: unknown) => {
        // Who reloads for the missing code finds the file again, so it is stored before the page offers the reload.
        if (MISSING.has(AppError.from(error).code)) await keeping;
        throw error;
      });
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
      keepDraft();
    },
    setMode(mode) {
      state.mode = mode;
      keepDraft();
    },
    check: () => run(checkNow),
    toStep(step) {
      patch({ step, error: null });
      keepDraft();
    },
    send() {
      run(async (alive) => {
        const accountId = core.state.session.accountId ?? "";
        patch({ busy: { phase: "stage", rows: 0, part: null }, error: null });
        // Without an answer the core finds out when it sends.
        if (!(await fields.look().catch(() => true))) {
          if (alive()) patch({ busy: null });
          return;
        }
        const { key } = await api().stage(
          { fileName: state.fileName, isInvite, accountId },
          reporting(alive),
        );
        await imports.start({ key });
        // They are in the staged rows now.
        own.decision = "ask";
        keep([]);
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
    async moveSpare(column) {
      const correction = { kind: "spare", column } as const;
      const { made, ...checked } = await api().correct([correction]);
      changed(checked);
      if (made[0] === true) keep([...state.corrections, correction]);
    },
    async undo() {
      changed(await api().undo());
      keep(state.corrections.slice(0, -1));
    },
    async decideTotal(wanted) {
      changed(await api().decideTotal(wanted));
      own.decision = wanted;
      keep(state.corrections);
    },
    dropCorrections() {
      own.decision = "ask";
      keep([]);
    },
    async createDepartments(wanted) {
      try {
        await createDepartments(core.commands.rest, wanted);
      } finally {
        // Those that were created before a failure are there.
        const context = await imports.context({});
        state.context = ref(fields.kept(context));
        run(async (alive) => {
          patch({ busy: { phase: "check", rows: 0, part: null }, error: null });
          await checkAgain(alive);
          if (alive()) patch({ busy: null });
        });
      }
    },
    async lookAtFields() {
      await fields.look();
    },
    adoptFields() {
      fields.adopt();
      keepDraft();
    },
    dispose: drop,
  };
}
