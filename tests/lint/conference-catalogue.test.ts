/**
 * Each row of the conference catalogue must have a running test: a call of `it` with a title that begins with the row's id, and
 * a function. A title that only resembles a row proves nothing, and neither does a test that is skipped, a todo, or without a function.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFR_CATALOGUE } from "../conference/catalogue.ts";

const SELF = "conference-catalogue.test.ts";
const root = join(import.meta.dirname, "../..");

interface Proofs {
  /** Rows whose test function runs. */
  readonly run: readonly string[];
  /** Rows that a test names which does not run. */
  readonly idle: readonly string[];
}

const QUOTES = "\"'`";
const textsIn = (source: string): string[] =>
  [...source.matchAll(/["'`]([^"'`]*)["'`]/g)].map(([, text = ""]) => text);

const ID = /[a-z][a-z\d-]*\.[\w-]+(?:\.\w+)?/.source;
const IDS = new RegExp(`^(${ID}(?:, ${ID})*)(?:: |$)`);
/** The rows that a title names. */
const idsOf = (title: string): string[] => IDS.exec(title)?.[1]?.split(", ") ?? [];

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
  const tests = /(?<![\w.])(?:it|test)((?:\.\w+)*)\(\s*(["'`])((?:\\.|(?!\2).)*)\2/gs;
  for (const { 0: call, 1: modifier, 3: title = "", index } of source.matchAll(tests)) {
    const proves = modifier === "" && startsFunction(source.slice(index + call.length));
    (proves ? run : idle).push(...idsOf(title));
  }
  const casesRun = [...source.matchAll(/(?<![\w.])(?:it|test)\.each\(/g)].some(
    ({ 0: call, index }) => {
      const open = index + call.length - 1;
      const end = behind(source, open);
      const title = /^\(\s*["'`][^"'`]*["'`]/.exec(source.slice(end))?.[0];
      return (
        title !== undefined &&
        source.slice(open, end).includes(".covers") &&
        startsFunction(source.slice(end + title.length))
      );
    },
  );
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
  .map(proofsOf);
const known = new Set(CONFR_CATALOGUE.map(({ id }) => id));

describe("The conference catalogue", () => {
  it("has each row once", () => {
    const ids = CONFR_CATALOGUE.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it("distinguishes a test that runs from one that does not", () => {
    const seen = (source: string): string => JSON.stringify(Object.values(proofsOf(source)));
    expect(seen('it("a.a", () => 1); it("b.b, c.-1.c: x", async () => 1)')).toBe(
      '[["a.a","b.b","c.-1.c"],[]]',
    );
    expect(seen('it.skip("a.a: x", () => 1); it.todo("b.b: x")')).toBe('[[],["a.a","b.b"]]');
    expect(seen('it("a.a: x"); const t = "b.b: x";')).toBe('[[],["a.a"]]');
    expect(seen('it("of a.a", () => 1); it("a.a is", () => 1)')).toBe("[[],[]]");
    const table = 'const R = [{ covers: "a.a" }];';
    const titles = "R.map((r) => [`${r.covers}: x`, r])";
    expect(seen(`${table} it.each(${titles})("%s", () => 1)`)).toBe('[["a.a"],[]]');
    expect(seen(table)).toBe('[[],["a.a"]]');
  });

  it("is covered only by running tests and only in existing rows", () => {
    expect(proofs.flatMap(({ run }) => run).filter((id) => !known.has(id))).toEqual([]);
    expect(proofs.flatMap(({ idle }) => idle)).toEqual([]);
  });

  it("has a running test for each row", () => {
    const proved = new Set(proofs.flatMap(({ run }) => run));
    expect(CONFR_CATALOGUE.map(({ id }) => id).filter((id) => !proved.has(id))).toEqual([]);
    expect(proved.size).toBe(CONFR_CATALOGUE.length);
  });
});
