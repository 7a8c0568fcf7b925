/**
 * Each row of the conference catalogue must have a running test: a call of `it` with the row's id and a function. A title that
 * only resembles a row proves nothing, and neither does a test that is skipped, a todo, or without a function.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CONFR_CATALOGUE,
  type CatalogueRow,
} from "../../src/shared/domain/conference-catalogue.harness.ts";

const SELF = "conference-catalogue.test.ts";
const root = join(import.meta.dirname, "../..");
const rows: readonly CatalogueRow[] = CONFR_CATALOGUE;

interface Proofs {
  /** Rows whose test function runs. */
  readonly run: readonly string[];
  /** Uses of coversRow without a running test. */
  readonly idle: readonly string[];
}

const QUOTES = "\"'`";
const textsIn = (source: string): string[] =>
  [...source.matchAll(/["'`]([^"'`]*)["'`]/g)].map(([, text = ""]) => text);

/** The index behind the parenthesis that closes the one at `open`. */
function behind(source: string, open: number): number {
  let depth = 0;
  for (let i = open; i < source.length; i += 1) {
    const c = source[i] ?? "";
    if (QUOTES.includes(c)) {
      i += 1;
      while (i < source.length && source[i] !== c) i += source[i] === "\\" ? 2 : 1;
    } else if (c === "(") depth += 1;
    else if (c === ")" && (depth -= 1) === 0) return i + 1;
  }
  return source.length;
}
const startsFunction = (source: string): boolean =>
  /^\s*,\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>|^\s*,\s*(?:async\s+)?function\b/.test(source);

/** The rows that a test file proves. */
function proofsOf(source: string): Proofs {
  const run: string[] = [];
  const idle: string[] = [];
  let casesRun = false;
  for (const { index } of source.matchAll(/(?<![\w.])coversRow\(/g)) {
    const open = index + "coversRow".length;
    const end = behind(source, open);
    const ids = /^\(\s*(\[[^\]]*\]|["'`][^"'`]*["'`])/.exec(source.slice(open, end))?.[1];
    const before = source.slice(0, index);
    if (ids === undefined) {
      // The ids of a case in the table of an `it.each`.
      const table = before.lastIndexOf("it.each(");
      const titles = table < 0 ? 0 : behind(source, table + "it.each".length);
      const call = titles > end && source[titles] === "(" ? source.slice(titles + 1) : "";
      casesRun ||=
        /^\s*["'`][^"'`]*["'`]/.test(call) &&
        startsFunction(call.replace(/^\s*["'`][^"'`]*["'`]/, ""));
      continue;
    }
    const proves = /(?<![\w.])(?:it|test)\(\s*$/.test(before) && startsFunction(source.slice(end));
    (proves ? run : idle).push(...textsIn(ids));
  }
  const cases = [...source.matchAll(/\bcovers: (\[[^\]]*\]|["'`][^"'`]*["'`])/g)];
  (casesRun ? run : idle).push(...cases.flatMap(([, ids = ""]) => textsIn(ids)));
  return { run, idle };
}

const proofs = ["src", "tests"]
  .flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(test|spec)\.tsx?$/.test(name) && !name.endsWith(SELF))
      .map((name) => readFileSync(join(root, top, name), "utf8")),
  )
  .filter((source) => source.includes("coversRow"))
  .map(proofsOf);
const known = new Set(rows.map(({ id }) => id));

describe("The conference catalogue", () => {
  it("has each row once", () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it("distinguishes a test that runs from one that does not", () => {
    const seen = (source: string): string => JSON.stringify(Object.values(proofsOf(source)));
    expect(seen('it(coversRow("a"), () => 1); it(coversRow(["b", "c"], "x"), async () => 1)')).toBe(
      '[["a","b","c"],[]]',
    );
    expect(seen('it.skip(coversRow("a"), () => 1); it.todo(coversRow("b"))')).toBe(
      '[[],["a","b"]]',
    );
    expect(seen('it(coversRow("a")); const t = coversRow("b");')).toBe('[[],["a","b"]]');
    expect(seen('it("coversRow a", () => 1)')).toBe("[[],[]]");
    const table = 'const R = [{ covers: "a" }];';
    const titles = "R.map((r) => [coversRow(r.covers), r])";
    expect(seen(`${table} it.each(${titles})("%s", () => 1)`)).toBe('[["a"],[]]');
    expect(seen(table)).toBe('[[],["a"]]');
  });

  it("is covered only by running tests and only in existing rows", () => {
    expect(proofs.flatMap(({ run }) => run).filter((id) => !known.has(id))).toEqual([]);
    expect(proofs.flatMap(({ idle }) => idle)).toEqual([]);
  });

  it("has a running test for each row", () => {
    const proved = new Set(proofs.flatMap(({ run }) => run));
    expect(rows.map(({ id }) => id).filter((id) => !proved.has(id))).toEqual([]);
    expect(proved.size).toBe(rows.length);
  });
});
