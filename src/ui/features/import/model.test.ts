import { describe, expect, it, vi } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { ImportApi } from "../../../shared/protocol/import-worker.ts";
import type { ImportContext } from "../../../shared/protocol/rest/imports.ts";
import type { CoreClient } from "../../../core-client/contracts.ts";
import type { KeptCorrections } from "./corrections.ts";
import type { ImportDraft, ImportWork } from "./draft.ts";
import { createImportModel } from "./model.ts";
import type { ImportModel } from "./model-contracts.ts";
import { PATIENCE } from "../../../shared/patience.harness.ts";

const CONTEXT = { supplierId: "1", ownFields: [], departments: [], dictionaries: {} };
const CHECKED = {
  rows: 3,
  good: 2,
  bad: 1,
  warned: 0,
  byRule: [],
  undo: 0,
  blank: 0,
  total: null,
  missing: [],
  spare: [],
  copies: { count: 0, rows: [] },
  took: 1,
};
/** The company without the field "remark". */
const WITHOUT_REMARK = {
  ...CONTEXT,
  fields: [{ key: "remark", used: false, required: false }],
};
const file = (name = "a.csv"): File => new File(["x"], name);

function setUp(over: Partial<ImportApi<Blob>> = {}) {
  const terminated: number[] = [];
  let spawned = 0;
  const api: ImportApi<Blob> = {
    open: async (_file, name) => ({
      kind: "csv",
      bytes: 1,
      sheets: [
        { index: 0, name: "hidden", hidden: true },
        { index: 1, name, hidden: false },
      ],
      encoding: "utf-8",
      delimiter: ",",
      escape: "quote",
      isGuess: false,
    }),
    preview: async () => ({
      headerRow: 2,
      headerEnd: 2,
      headers: ["姓名"],
      from: 3,
      rows: [["张三"]],
      complete: true,
    }),
    load: async (_source, onProgress) => {
      onProgress({ phase: "read", rows: 3, part: 1 });
      return {
        rows: 3,
        headers: ["姓名"],
        headerRow: 2,
        headerEnd: 2,
        isFillable: false,
        fileHash: "f",
        warnings: [],
        took: { read: 1, hash: 1 },
      };
    },
    suggest: async (_context, remembered) => ({
      mapping: remembered ?? ["name"],
      by: [remembered === null ? "name" : "remembered"],
      missing: [],
      filled: [3],
    }),
    check: async () => CHECKED,
    window: async () => ({ total: 0, from: 0, rows: [] }),
    values: async () => [],
    edit: async () => ({ ...CHECKED, good: 3, bad: 0, undo: 1, changed: 1 }),
    correct: async (corrections) => ({ ...CHECKED, made: corrections.map(() => true) }),
    replace: async () => ({ ...CHECKED, changed: 812, undo: 1 }),
    undo: async () => CHECKED,
    decideTotal: async () => CHECKED,
    stage: async () => ({ key: "k".repeat(64), rows: 2, chunks: 1, took: 1 }),
    report: async () => new Blob(),
    template: async () => new Blob(),
    cancel: async () => undefined,
    ...over,
  };
  const start = vi.fn(async () => null);
  const company = { context: CONTEXT as ImportContext };
  let made = 0;
  const call = vi.fn(async ({ body }: { body: { parentId: string | null; name: string } }) => ({
    ...body,
    id: `id-${(made += 1)}`,
  }));
  const core = {
    commands: {
      rest: { call },
      imports: { context: async () => company.context, taken: async () => CONTEXT, start },
    },
    state: { session: { accountId: "9" } },
  } as unknown as Pick<CoreClient, "commands" | "state">;
  const kept = new Map<string, (string | null)[]>();
  const corrections = new Map<string, KeptCorrections>();
  const draft = {
    /** Resolves when the browser has stored the file. */
    stored: Promise.resolve(),
    found: null as Awaited<ReturnType<ImportDraft["read"]>>,
    works: [] as ImportWork[],
    begun: [] as string[],
    drops: 0,
  };
  const model = createImportModel({
    core,
    isInvite: true,
    draft: {
      read: async () => draft.found,
      begin: async ({ name }) => {
        draft.begun.push(name);
        await draft.stored;
        return true;
      },
      keep: (work) => {
        draft.works.push(structuredClone(work));
        return draft.begun.length > 0 || draft.found !== null;
      },
      drop: () => void (draft.drops += 1),
    },
    store: {
      load: async ({ fileHash }) => corrections.get(fileHash) ?? null,
      save: async ({ fileHash }, given) => {
        const isNone = given.corrections.length === 0 && given.decision === "ask";
        if (isNone) corrections.delete(fileHash);
        else corrections.set(fileHash, { at: 1, ...given });
      },
    },
    remembered: {
      recall: (supplierId, headers) => kept.get(`${supplierId}${headers.join()}`) ?? null,
      remember: (supplierId, headers, mapping) =>
        void kept.set(`${supplierId}${headers.join()}`, [...mapping]),
    },
    spawn: () => {
      const worker = (spawned += 1);
      return { api, terminate: () => void terminated.push(worker) };
    },
  });
  return {
    model,
    api,
    start,
    company,
    terminated,
    kept,
    corrections,
    draft,
    call,
    spawned: () => spawned,
  };
}
const at = (model: ImportModel, step: string) =>
  vi.waitFor(() => {
    if (model.state.step !== step || model.state.busy !== null) throw new Error(model.state.step);
  }, PATIENCE);

describe("the import wizard", () => {
  it("the wizard goes from the file to the core and then terminates its worker", async () => {
    const { model, start, terminated } = setUp();
    model.choose(file());
    await at(model, "map");
    expect(model.state).toMatchObject({ source: { sheet: 1 }, mapping: ["name"], by: ["name"] });
    model.check();
    await at(model, "check");
    await model.edit(3, 0, "李四");
    expect(model.state).toMatchObject({ version: 2, checked: { good: 3 } });
    expect(await model.replace(0, "a", "b")).toBe(812);
    model.send();
    await at(model, "send");
    expect(start).toHaveBeenCalledWith({ key: "k".repeat(64) });
    expect([model.state.key, terminated]).toEqual(["k".repeat(64), [1]]);
  });

  it("the wizard remembers the column mapping", async () => {
    const { model } = setUp();
    model.choose(file());
    await at(model, "map");
    model.setField(0, "remark");
    expect(model.state.by).toEqual(["own"]);
    model.check();
    await at(model, "check");
    model.choose(file("b.csv"));
    await at(model, "map");
    expect(model.state).toMatchObject({ mapping: ["remark"], by: ["remembered"] });
  });

  it("fields that changed while a file is open are not sent before the person took them over, and no column is lost", async () => {
    const { model, start, company, draft } = setUp();
    model.choose(file());
    await at(model, "map");
    model.setField(0, "remark");
    model.check();
    await at(model, "check");
    await model.edit(3, 0, "李四");
    company.context = WITHOUT_REMARK;
    model.send();
    await vi.waitFor(() => expect(model.state.newer).toEqual(WITHOUT_REMARK), PATIENCE);
    await at(model, "check");
    expect(start).not.toHaveBeenCalled();
    expect(model.state.context).toEqual(CONTEXT);
    model.adoptFields();
    expect(model.state).toMatchObject({ step: "map", newer: null, context: WITHOUT_REMARK });
    expect(model.state.mapping).toEqual(["remark"]);
    expect(model.state.corrections).toHaveLength(1);
    expect(draft.works.at(-1)?.mapping).toEqual(["remark"]);
    // the company uses it again
    company.context = CONTEXT;
    await model.lookAtFields();
    model.adoptFields();
    model.check();
    await at(model, "check");
    model.send();
    await at(model, "send");
    expect(start).toHaveBeenCalledTimes(1);
  });

  it("departments that are made on the way leave the fields as they were", async () => {
    const { model, company } = setUp();
    model.choose(file());
    await at(model, "map");
    model.check();
    await at(model, "check");
    company.context = { ...WITHOUT_REMARK, departments: [{ id: "1", name: "质检" }] };
    await model.createDepartments([]);
    await at(model, "check");
    expect(model.state.context).toMatchObject({ departments: [{ name: "质检" }] });
    expect(model.state.context?.fields).toBeUndefined();
  });

  it("the wizard reports a bad file and stays usable", async () => {
    const { model, spawned } = setUp({
      open: async () => {
        throw new AppError("request.too-large");
      },
    });
    model.choose(file());
    await vi.waitFor(() => expect(model.state.error?.code).toBe("request.too-large"), PATIENCE);
    expect([model.state.step, model.state.busy]).toEqual(["file", null]);
    model.choose(file());
    expect([spawned(), model.state.error]).toEqual([2, null]);
  });

  it("is not busy again when a report of progress arrives after the result of its work", async () => {
    const late: (() => void)[] = [];
    const { model } = setUp({
      check: async (_request, _taken, onProgress) => {
        late.push(() => onProgress({ phase: "check", rows: 3, part: 1 }));
        return CHECKED;
      },
    });
    model.choose(file());
    await at(model, "map");
    model.check();
    await at(model, "check");
    expect(late).toHaveLength(1);
    late[0]?.();
    expect(model.state.busy).toBeNull();
  });

  it("the wizard ignores results of work that was stopped or replaced", async () => {
    let late: (() => void) | null = null;
    const { model, terminated } = setUp({
      preview: () =>
        new Promise((resolve) => {
          late = () =>
            resolve({ headerRow: 1, headerEnd: 1, headers: [], from: 2, rows: [], complete: true });
        }),
    });
    model.choose(file());
    await vi.waitFor(() => expect(late).not.toBeNull(), PATIENCE);
    model.stop();
    (late as (() => void) | null)?.();
    await Promise.resolve();
    expect([model.state.step, model.state.preview, terminated]).toEqual(["file", null, [1]]);
  });

  it("stopping a check is not an error", async () => {
    const { model } = setUp({
      check: async () => {
        throw new AppError("import.cancelled");
      },
    });
    model.choose(file());
    await at(model, "map");
    model.check();
    await vi.waitFor(() => expect(model.state.busy).toBeNull(), PATIENCE);
    expect([model.state.error, model.state.step]).toEqual([null, "map"]);
  });

  describe("corrections", () => {
    const toCheck = async (model: ImportModel): Promise<void> => {
      model.choose(file());
      await at(model, "map");
      model.check();
      await at(model, "check");
    };
    const edit = { kind: "edit", row: 3, column: 0, value: "李四" } as const;
    const replace = { kind: "replace", column: 0, from: "a", to: "b" } as const;

    it("are kept as they are made, and undo takes the last one away", async () => {
      const { model, corrections } = setUp();
      await toCheck(model);
      await model.edit(3, 0, "李四");
      await model.replace(0, "a", "b");
      await model.decideTotal("out");
      expect(corrections.get("f")).toEqual({
        at: 1,
        corrections: [edit, replace],
        decision: "out",
      });
      await model.undo();
      expect(corrections.get("f")?.corrections).toEqual([edit]);
      await model.moveSpare(4);
      expect(corrections.get("f")?.corrections).toEqual([edit, { kind: "spare", column: 4 }]);
    });

    it("that changed nothing are not kept", async () => {
      const { model, corrections } = setUp({
        replace: async () => ({ ...CHECKED, changed: 0 }),
      });
      await toCheck(model);
      await model.replace(0, "a", "b");
      expect(corrections.size).toBe(0);
    });

    it("are offered when the same file is chosen again, and the check makes them again", async () => {
      const correct = vi.fn(async () => ({ ...CHECKED, bad: 0, good: 3, made: [false, true] }));
      const decideTotal = vi.fn(async () => CHECKED);
      const total = { rows: [{ row: 9, text: "合计" }], decision: "ask" as const };
      const { model, corrections } = setUp({
        correct: (given) => {
          expect(given).toEqual([edit, replace]);
          return correct().then((checked) => ({ ...checked, total }));
        },
        decideTotal,
      });
      corrections.set("f", { at: 5, corrections: [edit, replace], decision: "out" });
      model.choose(file());
      await at(model, "map");
      expect(model.state).toMatchObject({ keptAt: 5, corrections: [edit, replace] });
      model.check();
      await at(model, "check");
      expect(decideTotal).toHaveBeenCalledWith("out");
      expect(model.state.keptAt).toBeNull();
      // The one that took no effect stands in front, because undo takes the last one.
      await model.undo();
      expect(corrections.get("f")?.corrections).toEqual([edit]);
    });

    it("are made again after a way back to the columns", async () => {
      const correct = vi.fn(async () => ({ ...CHECKED, made: [true] }));
      const { model } = setUp({ correct });
      await toCheck(model);
      await model.edit(3, 0, "李四");
      model.toStep("map");
      model.check();
      await at(model, "check");
      expect(correct).toHaveBeenCalledWith([edit]);
    });

    it("go when the person drops them and when the rows are sent", async () => {
      const { model, corrections } = setUp();
      await toCheck(model);
      await model.edit(3, 0, "李四");
      model.dropCorrections();
      expect([corrections.size, model.state.corrections]).toEqual([0, []]);
      await model.edit(3, 0, "李四");
      model.send();
      await at(model, "send");
      expect(corrections.size).toBe(0);
    });
  });

  it("creates departments from the top down, once each, and checks again", async () => {
    const check = vi.fn(async () => CHECKED);
    const { model, call } = setUp({ check });
    model.choose(file());
    await at(model, "map");
    model.check();
    await at(model, "check");
    await model.createDepartments([
      { parentId: null, names: ["研发部", "一组"] },
      { parentId: null, names: ["研发部", "二组"] },
      { parentId: "7", names: ["夜班"] },
    ]);
    await vi.waitFor(() => expect(check).toHaveBeenCalledTimes(2), PATIENCE);
    expect(call.mock.calls.map(([{ body }]) => [body.parentId, body.name])).toEqual([
      [null, "研发部"],
      ["id-1", "一组"],
      ["id-1", "二组"],
      ["7", "夜班"],
    ]);
  });

  it("every step of the work is kept for a reload, until it is sent", async () => {
    const { model, draft } = setUp();
    model.choose(file());
    await at(model, "map");
    expect(draft.works.at(-1)).toMatchObject({
      source: { sheet: 1 },
      mapping: ["name"],
      checked: false,
    });
    model.setField(0, "remark");
    model.setMode("update");
    expect(draft.works.at(-1)).toMatchObject({ mapping: ["remark"], mode: "update" });
    model.check();
    await at(model, "check");
    expect(draft.works.at(-1)).toMatchObject({ checked: true });
    expect([model.state.kept, draft.drops]).toEqual([true, 0]);
    model.send();
    await at(model, "send");
    expect(draft.drops).toBe(1);
  });

  it("the wizard goes on after a reload with the same file, columns and corrections", async () => {
    const edit = { kind: "edit", row: 3, column: 0, value: "李四" } as const;
    const correct = vi.fn(async () => ({ ...CHECKED, made: [true] }));
    const { model, draft, corrections } = setUp({ correct });
    corrections.set("f", { at: 5, corrections: [edit], decision: "ask" });
    draft.found = {
      file: file("kept.csv"),
      work: {
        source: { sheet: 0, headerRow: null, headerEnd: null, fill: false },
        mode: "update",
        mapping: ["remark"],
        checked: true,
      },
    };
    model.restore();
    await at(model, "check");
    expect(model.state).toMatchObject({
      step: "check",
      fileName: "kept.csv",
      source: { sheet: 0 },
      mode: "update",
      mapping: ["remark"],
      by: ["own"],
      corrections: [edit],
      restored: true,
      kept: true,
    });
    expect(correct).toHaveBeenCalledWith([edit]);
    expect(draft.works.at(-1)).toEqual(draft.found?.work);
  });

  it("a worker whose script is missing says so, keeps the chosen file, and starts on request", async () => {
    let missing = true;
    const { model, draft, spawned } = setUp({
      open: async (_file, name) => {
        if (missing) throw new AppError("code.replaced");
        return {
          kind: "csv",
          bytes: 1,
          sheets: [{ index: 0, name, hidden: false }],
          encoding: "utf-8",
          delimiter: ",",
          escape: "quote",
          isGuess: false,
        };
      },
    });
    model.choose(file());
    await vi.waitFor(() => expect(model.state.error?.code).toBe("code.replaced"), PATIENCE);
    expect([draft.drops, draft.works.at(-1)?.mapping]).toEqual([0, null]);
    missing = false;
    model.again();
    await at(model, "map");
    expect([spawned(), model.state.fileName, draft.begun]).toEqual([
      2,
      "a.csv",
      ["a.csv", "a.csv"],
    ]);
  });

  it("the missing script is said once the chosen file is stored, so that a reload finds it", async () => {
    const { model, draft } = setUp({
      open: async () => {
        throw new AppError("code.replaced");
      },
    });
    let store = (): void => {};
    draft.stored = new Promise((resolve) => (store = resolve));
    model.choose(file());
    await new Promise((resolve) => setTimeout(resolve));
    expect([model.state.error, model.state.busy, model.state.kept]).toEqual([null, "open", false]);
    store();
    await vi.waitFor(() => expect(model.state.error?.code).toBe("code.replaced"), PATIENCE);
    expect(model.state.kept).toBe(true);
  });

  it("a file that cannot be read is not kept", async () => {
    const { model, draft } = setUp({
      open: async () => {
        throw new AppError("import.corrupt");
      },
    });
    model.choose(file());
    await vi.waitFor(() => expect(model.state.error?.code).toBe("import.corrupt"), PATIENCE);
    expect(draft.drops).toBe(1);
  });
});
