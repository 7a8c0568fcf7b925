import { beforeEach, expect, it, vi } from "vitest";
import {
  draftKey,
  dropFormDraft,
  hasFormDrafts,
  readableDrafts,
  readFormDraft,
  writeFormDraft,
} from "./form-drafts.ts";
import { clearSession, readSession, writeSession } from "../storage.ts";

const owner = { accountId: "1", supplierId: "10" };
const NEW = { name: "", remark: "" };

beforeEach(() => {
  const kept = new Map<string, string>();
  // as in browsers, the keys of a storage are its own properties
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  vi.stubGlobal(
    "sessionStorage",
    new Proxy(storage, {
      ownKeys: () => [...kept.keys()],
      getOwnPropertyDescriptor: (_target, key) => ({
        value: kept.get(String(key)),
        enumerable: true,
        configurable: true,
      }),
    }),
  );
});

it("What was typed is there again for the same form, and for no other record, page, person or company", () => {
  const key = draftKey(owner, "/system/role", NEW);
  writeFormDraft(key, { before: NEW, changed: { name: "值班" } });
  expect(readFormDraft(key)).toEqual({ before: NEW, changed: { name: "值班" } });
  const others = [
    draftKey(owner, "/system/role", { name: "员工", remark: "" }),
    draftKey(owner, "/system/dict", NEW),
    draftKey({ ...owner, accountId: "2" }, "/system/role", NEW),
    draftKey({ ...owner, supplierId: "11" }, "/system/role", NEW),
  ];
  expect(others.map(readFormDraft)).toEqual([null, null, null, null]);
});

it("A form without changes has no draft, and a company without forms has none", () => {
  const key = draftKey(owner, "/system/role", NEW);
  writeFormDraft(key, { before: NEW, changed: { name: "值班" } });
  expect(hasFormDrafts(owner)).toBe(true);
  expect(hasFormDrafts({ ...owner, supplierId: "1" })).toBe(false);
  writeFormDraft(key, { before: NEW, changed: {} });
  expect(hasFormDrafts(owner)).toBe(false);
  expect(readFormDraft(key)).toBeNull();
});

it("What is no draft is left alone", () => {
  const key = draftKey(owner, "/system/role", NEW);
  for (const other of [null, "x", [], { name: "值班" }, { before: NEW, changed: [] }]) {
    writeSession(key, other);
    expect(readFormDraft(key)).toBeNull();
  }
});

it("A logout drops the drafts of all companies, and all else that the tab keeps", () => {
  writeFormDraft(draftKey(owner, "/a", NEW), { before: NEW, changed: { name: "x" } });
  const other = draftKey({ ...owner, supplierId: "11" }, "/b", NEW);
  writeFormDraft(other, { before: NEW, changed: { name: "y" } });
  writeSession("tagsView", ["/a"]);
  writeSession("list:1:10:employees.list", { values: { name: "张" } });
  clearSession();
  expect(hasFormDrafts(owner)).toBe(false);
  expect(hasFormDrafts({ ...owner, supplierId: "11" })).toBe(false);
  expect(readSession("tagsView")).toBeNull();
  expect(readSession("list:1:10:employees.list")).toBeNull();
});

it("What was typed can be read without its form, on its own page alone, until it is saved or the person logs out", () => {
  const key = draftKey(owner, "/system/role", NEW);
  const other = draftKey(owner, "/system/role", { name: "员工", remark: "" });
  const form = { title: "新增角色", lines: [{ label: "角色名称", text: "值班" }] };
  writeFormDraft(key, { before: NEW, changed: { name: "值班" } }, form);
  writeFormDraft(
    other,
    { before: NEW, changed: { remark: "夜班" } },
    { title: "修改角色", lines: [] },
  );
  expect(
    readableDrafts(owner, "/system/role")
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual(["修改角色", "新增角色"].toSorted());
  expect(readableDrafts(owner, "/system/role")).toContainEqual(form);
  expect(readableDrafts(owner, "/system")).toEqual([]);
  expect(readableDrafts({ ...owner, supplierId: "11" }, "/system/role")).toEqual([]);
  dropFormDraft(other);
  expect(readableDrafts(owner, "/system/role")).toEqual([form]);
  writeSession("readable-form:1:10:/system/role:x", { title: "", lines: [null, { label: 1 }] });
  writeSession("readable-form:1:10:/system/role:y", "rubbish");
  expect(readableDrafts(owner, "/system/role")).toContainEqual({ title: "", lines: [] });
  clearSession();
  expect(readableDrafts(owner, "/system/role")).toEqual([]);
});
