import { expect, it } from "vitest";
import { completeSettings } from "../../../shared/domain/field-settings.ts";
import { suggestMapping } from "./suggest.ts";

const tableOf = (headers: readonly string[], ...rows: readonly (readonly string[])[]) => ({
  headers,
  rows: rows.length,
  text: (i: number, column: number) => rows[i]?.[column] ?? "",
  filled: (column: number) => rows.filter((row) => (row[column] ?? "") !== "").length,
});
const OFF = { used: false, required: true };
const context = {
  supplierId: "1",
  ownFields: [],
  departments: [],
  dictionaries: {},
  fields: [
    ...completeSettings(
      "employee",
      [
        { key: "email", ...OFF },
        { key: "position", used: true, required: true },
      ],
      [],
    ),
  ],
};

it("A column of a field that the company does not use is left out and says why; a required one is asked for", () => {
  const table = tableOf(
    ["姓名", "电子信箱地址", "邮箱", "备用"],
    ["李", "a", "li@example.com", "x"],
  );
  expect(suggestMapping(table, context, null)).toMatchObject({
    mapping: ["name", null, null, null],
    by: ["name", "none", "unused", "none"],
    missing: ["position"],
  });
  // Also when it was matched in the import before.
  const again = suggestMapping(table, context, ["name", null, "email", "remark"]);
  expect(again.mapping).toEqual(["name", null, null, "remark"]);
  expect(again.by).toEqual(["remembered", "none", "unused", "remembered"]);
});
