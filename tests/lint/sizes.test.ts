/** A file has one reason to change, so it stays short (CONTRIBUTING.md#structure). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
/** Most lines of a source file, and of a test across threads, wires or processes. */
const SOURCE = 320;
/** Most lines of a unit test, a test double or what sets up tests. */
const TEST = 600;
/** Longer files, each with its reason. A generated file belongs here; one that people write does not. */
const LONGER: Readonly<Record<string, string>> = {};

const isTest = (file: string): boolean => /\.(test|harness|fake)\.tsx?$/.test(file);
const linesOf = (file: string): number =>
  readFileSync(join(root, file), "utf8").split("\n").length - 1;
const longer = (files: readonly string[], most: number): string[] =>
  files
    .filter((file) => LONGER[file] === undefined && linesOf(file) > most)
    .map((file) => `${file}: ${linesOf(file)} lines`);

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.tsx?$/.test(file));
const files = filesIn("src");
const across = filesIn("tests");
const isSpec = (file: string): boolean => /\.(?:test|spec)\.ts$/.test(file);

describe("The size of files", () => {
  it("finds the sources", () => {
    expect(files.length).toBeGreaterThan(500);
  });

  it(`is at most ${SOURCE} lines in src`, () => {
    expect(
      longer(
        files.filter((file) => !isTest(file)),
        SOURCE,
      ),
    ).toEqual([]);
  });

  it(`is at most ${TEST} lines in tests of src and in what they use`, () => {
    expect(longer(files.filter(isTest), TEST)).toEqual([]);
  });

  it(`is at most ${SOURCE} lines in tests across processes, and ${TEST} in what sets them up`, () => {
    expect(across.filter(isSpec).length).toBeGreaterThan(150);
    expect(longer(across.filter(isSpec), SOURCE)).toEqual([]);
    expect(longer(across, TEST)).toEqual([]);
  });

  it("names no file as longer that is gone or short enough", () => {
    const most = (file: string): number => (isTest(file) ? TEST : SOURCE);
    const needless = Object.keys(LONGER).filter(
      (file) => !files.includes(file) || linesOf(file) <= most(file),
    );
    expect(needless).toEqual([]);
  });
});
