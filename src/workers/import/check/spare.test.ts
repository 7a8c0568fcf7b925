import { expect, it } from "vitest";
import type { CheckRequest } from "../../../shared/protocol/import-worker.ts";
import { createImportApi } from "../api.ts";
import { openReader } from "../read/index.ts";

const quiet = (): void => undefined;
const CONTEXT: CheckRequest["context"] = {
  supplierId: "1",
  ownFields: [],
  departments: [],
  dictionaries: {},
};

async function checkedOf(lines: readonly string[]) {
  const api = createImportApi({
    openReader,
    staging: {
      get: async () => undefined,
      set: async () => undefined,
      keys: async () => [],
      delMany: async () => undefined,
      alone: (_, work) => work(),
      ifAlone: (_, work) => work(),
    },
    now: () => Date.UTC(2026, 0, 15),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
  await api.open(new Blob([lines.join("\n")]), "名单.csv");
  await api.load({}, quiet);
  const { mapping } = await api.suggest(CONTEXT, null);
  const ask = async () => ({ idNumbers: [], employeeNos: [] });
  const checked = await api.check({ mapping, mode: "insert", context: CONTEXT }, ask, quiet);
  const cells = async () => {
    const { rows } = await api.window({ view: "all", from: 0, count: 9 });
    return rows.map((row) => row.cells.join("|"));
  };
  return { api, checked, cells };
}

const HEAD = "姓名,联系电话,紧急联系电话,备注";
const ROWS = [
  "甲,13800138001/13900139001/13700137001,010-12345678转801,老",
  "乙,13800138002,13800138003 13900139003,",
  "丙,13800138004、13900139004,,=DISPIMG(1)",
  "丁,13800138005,,x",
];

it("Further numbers go behind the remarks of their rows, a remark that is wrong stays, and one undo takes all back", async () => {
  const { api, checked, cells } = await checkedOf([HEAD, ...ROWS]);
  const before = await cells();
  expect(checked.spare).toEqual([
    { column: 1, rows: 1 },
    { column: 2, rows: 1 },
  ]);
  const moved = await api.correct([{ kind: "spare", column: 1 }]);
  expect(moved).toMatchObject({ made: [true], undo: 1, spare: [{ column: 2, rows: 1 }] });
  expect(await cells()).toEqual([
    "甲|13800138001|010-12345678转801|老；联系电话：13900139001、13700137001",
    ...before.slice(1),
  ]);
  // The same correction again, as after a reload, changes nothing; the other column comes behind it.
  const again = await api.correct([
    { kind: "spare", column: 1 },
    { kind: "spare", column: 2 },
  ]);
  expect(again).toMatchObject({ made: [false, true], undo: 2, spare: [] });
  expect((await cells())[1]).toBe("乙|13800138002|13800138003|紧急联系电话：13900139003");
  expect(await api.undo()).toMatchObject({ undo: 1, spare: [{ column: 2, rows: 1 }] });
  expect(await api.undo()).toMatchObject({ undo: 0, spare: checked.spare });
  expect(await cells()).toEqual(before);
});

it("Without a column of remarks nothing is offered", async () => {
  const { api, checked } = await checkedOf(["姓名,联系电话", "甲,13800138001/13900139001"]);
  expect([checked.warned, checked.spare]).toEqual([1, []]);
  expect((await api.correct([{ kind: "spare", column: 1 }])).made).toEqual([false]);
});
