import { expect, it } from "vitest";
import type { KeptFiles } from "../../state/kept-files.ts";
import { createImportDraft, type ImportWork } from "./draft.ts";

function setUp() {
  const stored = new Map<string, File>();
  const form = { values: {} as Readonly<Record<string, string>>, full: false };
  const slow: (() => void)[] = [];
  const disk = { slow: false, refuses: false, unreadable: false };
  const files: KeptFiles = {
    async keep(file) {
      if (disk.refuses) throw new DOMException("", "QuotaExceededError");
      if (disk.slow) await new Promise<void>((resolve) => slow.push(resolve));
      const key = `k${stored.size + 1}`;
      stored.set(key, file);
      return key;
    },
    async read(key) {
      if (disk.unreadable) throw new DOMException("", "UnknownError");
      return stored.get(key) ?? null;
    },
    drop: async (key) => void stored.delete(key),
    dropAll: async () => stored.clear(),
  };
  const open = () =>
    createImportDraft({
      form: {
        read: () => form.values,
        write: (values) => {
          if (!form.full) form.values = values;
        },
      },
      files,
    });
  return { stored, form, disk, open, finish: () => slow.splice(0).forEach((run) => run()) };
}
const file = (name = "a.csv"): File => new File(["x"], name);
const WORK: ImportWork = {
  source: { sheet: 0, headerRow: null, headerEnd: null, fill: false },
  mode: "insert",
  mapping: ["name", null],
  checked: true,
};

it("File, columns and step are there again in the next page of the tab", async () => {
  const { open } = setUp();
  const draft = open();
  expect(await draft.begin(file())).toBe(true);
  expect(draft.keep(WORK)).toBe(true);
  const found = await open().read();
  expect([found?.file.name, found?.work]).toEqual(["a.csv", WORK]);
});

it("An import that was sent or given up leaves neither draft nor file", async () => {
  const { open, stored, form } = setUp();
  const draft = open();
  await draft.begin(file());
  draft.keep(WORK);
  open().drop();
  expect([stored.size, form.values, await open().read()]).toEqual([0, {}, null]);
});

it("A file that the browser cannot read now is there at the next reload", async () => {
  const { open, disk } = setUp();
  const draft = open();
  await draft.begin(file());
  draft.keep(WORK);
  disk.unreadable = true;
  expect(await open().read()).toBeNull();
  disk.unreadable = false;
  expect((await open().read())?.file.name).toBe("a.csv");
});

it("Another file takes the place of the one before, also while that one is still being stored", async () => {
  const { open, stored, disk, finish } = setUp();
  const draft = open();
  await draft.begin(file("a.csv"));
  draft.keep(WORK);
  disk.slow = true;
  const second = draft.begin(file("b.csv"));
  const third = draft.begin(file("c.csv"));
  finish();
  expect([await second, await third]).toEqual([false, true]);
  draft.keep(WORK);
  expect([...stored.values()].map(({ name }) => name)).toEqual(["c.csv"]);
  expect((await open().read())?.file.name).toBe("c.csv");
});

it("A browser that stores no file, a full storage and too many columns are said, so that the person is warned", async () => {
  const { open, disk, form } = setUp();
  disk.refuses = true;
  const draft = open();
  expect([await draft.begin(file()), draft.keep(WORK)]).toEqual([false, false]);
  disk.refuses = false;
  await draft.begin(file());
  expect(draft.keep({ ...WORK, mapping: ["x".repeat(1_000_000)] })).toBe(false);
  form.full = true;
  expect(draft.keep(WORK)).toBe(false);
});

it("A draft whose file is gone, or that this build cannot read, is dropped", async () => {
  const { open, stored, form } = setUp();
  const draft = open();
  await draft.begin(file());
  draft.keep(WORK);
  stored.clear();
  expect([await open().read(), form.values]).toEqual([null, {}]);
  await draft.begin(file());
  draft.keep(WORK);
  form.values = { ...form.values, work: JSON.stringify({ ...WORK, mode: "guess" }) };
  expect([await open().read(), form.values, stored.size]).toEqual([null, {}, 0]);
});
