import { beforeEach, expect, it, vi } from "vitest";
import { dropDraft, keepDraft, NO_DRAFT, readDraft, sentLicence } from "./draft.ts";
import { EMPTY } from "./fields.ts";

const TOKEN = "a".repeat(32);

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});

it("What was entered is there again, but no password", () => {
  const values = {
    ...EMPTY,
    supplierName: "新企业",
    mobile: "13800000001",
    password: "Secret2026",
    again: "Secret2026",
  };
  const licence = sentLicence(TOKEN, "执照.png", 0);
  keepDraft({ values, licence, requestKey: "key" });
  expect(readDraft(0)).toEqual({
    values: { ...values, password: "", again: "" },
    licence,
    requestKey: "key",
  });
  dropDraft();
  expect(readDraft(0)).toEqual(NO_DRAFT);
});

it("A picture that the server has forgotten is left out", () => {
  const licence = sentLicence(TOKEN, "执照.png", 0);
  keepDraft({ values: EMPTY, licence });
  expect(readDraft(3_599_999).licence).toEqual(licence);
  expect(readDraft(3_600_000).licence).toBe(null);
});

it.each(["x", { values: { supplierName: 1 }, licence: null }, { values: {}, licence: "a" }])(
  "What is no draft counts as none: %j",
  (value) => {
    sessionStorage.setItem("hyzh-registration", JSON.stringify({ value }));
    expect(readDraft(0)).toEqual(NO_DRAFT);
  },
);
