/** One word per thing (docs/glossary.md): words and file names that were given up must not come back. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const SELF = "tests/lint/vocabulary.test.ts";

const files = ["src", "tests", "scripts"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file !== SELF),
);
const sources = files.filter((file) => /^(src|tests|scripts)\/.*\.(ts|tsx|mjs)$/.test(file));

/** Each line of the sources that matches, as `file:line: text`. */
const linesWith = (word: RegExp, among: readonly string[]): string[] =>
  among.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, i) => (word.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  );

/** A word that was given up, and what to say. */
const GIVEN_UP: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bplanes?\b/i, "call coordinator"],
  [/\bseats?\b/i, "signalling session"],
  [/\btenures?\b/i, "sockets lease"],
  [/\bcarriers?\b/i, "engine adapter"],
  [/\btelling\b/i, "messenger, or report"],
  [/\banew\b/i, "again, or from zero"],
  [
    /(\/\/|\*) .*\btold\b(?! apart)|["`][^"`]* told (?!apart)[^"`]*["`]/i,
    "reported, shown, or learns",
  ],
  [/\bnobody's\b/i, "a sentence with a subject"],
  [/\bwhoever\b/i, "the person who, or a plain subject"],
  [/\bspec (§|R\d)/, "a link to docs/"],
];

/**
 * Names that must be learnt, because they do not say what they do at the call. What stays is a word of a wire or of a library's interface.
 */
const UNCLEAR =
  /(?:\b(?:const|let|function|readonly|async)\s+|^\s+|[({,]\s*)(?:take|tell|told|wishes|turns|following)(?:\??:|\s*=>?|\(|<|,)|\b(?:const|let|function)\s+(?:of|mine|say)\b/;

describe("The vocabulary", () => {
  it("finds the sources", () => {
    expect(sources.length).toBeGreaterThan(500);
  });

  it.each(GIVEN_UP)("does not use %s, but says %s", (word) => {
    expect(linesWith(word, sources)).toEqual([]);
  });

  it("has no names that must be learnt", () => {
    const inSrc = sources.filter((file) => file.startsWith("src/"));
    const isCode = (line: string): boolean => !/^\S+ (?:\*|\/\*|\/\/|it\()|: \["/.test(line);
    expect(linesWith(UNCLEAR, inSrc).filter(isCode)).toEqual([]);
    for (const breach of ["const tell = (", "  take(key) {", "function told(", "const of = "]) {
      expect(UNCLEAR.test(breach)).toBe(true);
    }
  });

  it("names test doubles *.fake.ts and what sets up tests *.harness.ts", () => {
    const old = /(test-support|testkit|\/testing|\/fakes)\.tsx?$/;
    expect(files.filter((file) => file.startsWith("src/") && old.test(file))).toEqual([]);
  });

  it("keeps src independent of tests/", () => {
    const inSrc = sources.filter((file) => file.startsWith("src/"));
    expect(linesWith(/from "(\.\.\/)+tests\//, inSrc)).toEqual([]);
  });

  it("uses confr as a prefix of files on the wire only", () => {
    const allowed = /^(src\/shared\/protocol\/|tests\/)/;
    const named = sources.filter((file) => /(^|\/)confr[-.]/.test(file) && !allowed.test(file));
    expect(named).toEqual([]);
  });
});
