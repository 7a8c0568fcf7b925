/** What goes round a rule of the compiler, the linter or the tests has its reason beside it (CONTRIBUTING.md#structure). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const SELF = "tests/lint/reasons.test.ts";
const files = ["src", "tests"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && file !== SELF),
);
/** What replaces something real in a test is given as that by a cast, which needs no reason. */
const isOfTests = (file: string): boolean =>
  file.startsWith("tests/") || /\.(?:test|harness|fake)\.tsx?$/.test(file);

interface Rule {
  readonly finds: RegExp;
  readonly in: (file: string) => boolean;
  /** @param line of the code; `before`: the lines of the same block above it, the nearest first */
  readonly hasReason: (line: string, before: readonly string[]) => boolean;
}
const isComment = (line: string): boolean => /^\s*(?:\/\/|\/?\*)|\s\/\/ |\*\/$/.test(line);
const everywhere = (): boolean => true;
const RULES: Readonly<Record<string, Rule>> = {
  "a rule of the linter that is off": {
    finds: /(?:oxlint|eslint)-disable/,
    in: everywhere,
    hasReason: (line) => /oxlint-disable-next-line \S.* -- \S/.test(line),
  },
  "an error of the compiler that is expected": {
    finds: /@ts-(?:expect-error|ignore|nocheck)/,
    in: everywhere,
    hasReason: (line) => /@ts-expect-error (?:-- )?\w/.test(line),
  },
  "a cast of one type into any other": {
    finds: /as unknown as/,
    in: (file) => !isOfTests(file),
    hasReason: (line, before) => isComment(line) || before.some(isComment),
  },
  "a test that is skipped": {
    finds: /\b(?:test|it|describe)\.skip(?:If)?\(/,
    in: isOfTests,
    hasReason: (line, before) => isComment(line) || before.slice(0, 1).some(isComment),
  },
  "a wait for a time": {
    finds: /\.waitForTimeout\(/,
    in: isOfTests,
    hasReason: (line, before) => isComment(line) || before.some(isComment),
  },
};

/** @returns the lines that a rule finds and that have no reason, as `number: text` */
function breaches({ finds, hasReason }: Rule, source: string): string[] {
  const lines = source.split("\n");
  return lines.flatMap((line, at) => {
    if (!finds.test(line)) return [];
    const above = lines.slice(0, at).toReversed();
    const blank = above.indexOf("");
    const before = above.slice(0, blank === -1 ? undefined : blank);
    return hasReason(line, before) ? [] : [`${at + 1}: ${line.trim()}`];
  });
}

describe("A reason stands beside", () => {
  it.each(Object.entries(RULES))("%s", (_, rule) => {
    const found = files.filter(rule.in).map((file) => ({
      file,
      source: readFileSync(join(root, file), "utf8"),
    }));
    expect(found.some(({ source }) => rule.finds.test(source))).toBe(true);
    expect(
      found.flatMap(({ file, source }) => breaches(rule, source).map((one) => `${file}:${one}`)),
    ).toEqual([]);
  });
});

describe("A reason is missing in", () => {
  it.each([
    ["a rule of the linter that is off", "// oxlint-disable-next-line no-var\nvar a;"],
    ["a rule of the linter that is off", "/* eslint-disable */"],
    ["an error of the compiler that is expected", "// @ts-expect-error\na();"],
    ["an error of the compiler that is expected", "// @ts-ignore it is fine\na();"],
    ["a cast of one type into any other", "// of another block\n\nconst a = b as unknown as C;"],
    ["a test that is skipped", 'test.skip(a, "");'],
    ["a wait for a time", "\nawait page.waitForTimeout(10);"],
  ])("%s: %s", (rule, source) => {
    expect(breaches(RULES[rule]!, source)).toHaveLength(1);
  });
});
