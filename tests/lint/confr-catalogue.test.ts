/** Each row of the conference catalogue is proved by a test: one that names it by coversRow, or one that the row names. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFR_CATALOGUE, type ConfrRow } from "../../src/shared/domain/confr-catalogue.ts";

const SELF = "confr-catalogue.test.ts";
const root = join(import.meta.dirname, "../..");
const rows: readonly ConfrRow[] = CONFR_CATALOGUE;

const sources = new Map(
  ["src", "tests"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(test|spec)\.tsx?$/.test(file) && !file.endsWith(SELF))
      .map((file): [string, string] => [
        join(top, file),
        readFileSync(join(root, top, file), "utf8"),
      ]),
  ),
);

/** Ids that a source names in its coversRow calls. */
function named(source: string): string[] {
  return [...source.matchAll(/coversRow\(\s*(\[[^\]]*\]|["'`][^"'`]*["'`])/g)].flatMap((call) =>
    [...(call[1] ?? "").matchAll(/["'`]([^"'`]*)["'`]/g)].map((id) => id[1] ?? ""),
  );
}
const covered = new Map<string, string[]>();
for (const [file, source] of sources) {
  for (const id of named(source)) covered.set(id, [...(covered.get(id) ?? []), file]);
}
const provedBy = ({ id, test }: ConfrRow): boolean => {
  if (covered.has(id)) return true;
  if (test === undefined) return false;
  const [file = "", title = ""] = test.split(" › ");
  return title !== "" && (sources.get(file) ?? "").includes(title);
};

describe("the conference catalogue", () => {
  it("has each row once", () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it("reads ids out of titles", () => {
    expect(named('it(coversRow("a.b"), x); it(coversRow(["c", "d"], "what"), x)')).toEqual([
      "a.b",
      "c",
      "d",
    ]);
    expect(named('it("coversRow is not called", x)')).toEqual([]);
  });

  it("is named by tests in rows that it has", () => {
    const known = new Set(rows.map(({ id }) => id));
    const unknown = [...covered].filter(([id]) => !known.has(id));
    expect(unknown).toEqual([]);
  });

  it("has a test for each row", () => {
    const open = rows.filter((row) => !provedBy(row)).map(({ id }) => id);
    expect(open).toEqual([]);
  });
});
