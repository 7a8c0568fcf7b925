import { expect, it } from "vitest";
import { createKeptFiles, FILE_KEPT, type FileStore } from "./kept-files.ts";

function setUp(over: Partial<FileStore> = {}) {
  const all = new Map<string, unknown>();
  const clock = { now: 1_000 };
  let ids = 0;
  const store: FileStore = {
    get: async (key) => all.get(key),
    set: async (key, value) => void all.set(key, value),
    del: async (key) => void all.delete(key),
    keys: async () => [...all.keys()],
    delMany: async (keys) => keys.forEach((key) => all.delete(key)),
    clear: async () => all.clear(),
    ...over,
  };
  const files = createKeptFiles({
    store: () => store,
    now: () => clock.now,
    newId: () => `id${(ids += 1)}`,
  });
  return { files, all, clock };
}
const browserless: FileStore = {
  get: async () => undefined,
  set: async () => undefined,
  del: async () => undefined,
  keys: async () => [],
  delMany: async () => undefined,
  clear: async () => undefined,
};
const file = (name: string): File => new File(["x"], name);

it("A file is there again under its key until it is dropped", async () => {
  const { files } = setUp();
  const key = await files.keep(file("a.csv"));
  expect((await files.read(key))?.name).toBe("a.csv");
  await files.drop(key);
  expect(await files.read(key)).toBeNull();
});

it("A database that fails is opened once more", async () => {
  const kept = file("a.csv");
  let opened = 0;
  const failing = (times: number) =>
    createKeptFiles({
      store: () => {
        opened += 1;
        const fails = opened <= times;
        const get = async (): Promise<unknown> => {
          if (fails) throw new DOMException("", "UnknownError");
          return kept;
        };
        return { ...browserless, get };
      },
      now: () => 0,
      newId: () => "id",
    });
  expect(await failing(1).read("k")).toBe(kept);
  opened = 0;
  await expect(failing(2).read("k")).rejects.toThrow(DOMException);
});

it("Files that nobody came back for within a day go with the next one that is kept", async () => {
  const { files, all, clock } = setUp();
  await files.keep(file("old.csv"));
  clock.now += FILE_KEPT;
  const young = await files.keep(file("young.csv"));
  expect(all.size).toBe(2);
  clock.now += 1;
  const last = await files.keep(file("last.csv"));
  expect([...all.keys()]).toEqual([young, last]);
});

it("A logout leaves no file", async () => {
  const { files, all } = setUp();
  await files.keep(file("a.csv"));
  await files.keep(file("b.csv"));
  await files.dropAll();
  expect(all.size).toBe(0);
});

it("A browser that refuses storage says so to who keeps a file, and to nobody else", async () => {
  const refuse = () => Promise.reject(new DOMException("", "QuotaExceededError"));
  const { files } = setUp({ set: refuse, del: refuse, keys: refuse, clear: refuse });
  await expect(files.keep(file("a.csv"))).rejects.toThrow(DOMException);
  await files.drop("k");
  await files.dropAll();
});
