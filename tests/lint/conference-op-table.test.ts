/**
 * docs/conferences.md#operations-and-their-tests names each operation of a conference's socket in each direction, and
 * docs/conferences.md#results each result, with a test that exists.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CONFR_RESULT,
  confrClientSchema,
  confrServerSchema,
} from "../../src/shared/protocol/confr-signalling.ts";
import { RESULT } from "../../src/shared/protocol/signalling.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const doc = read("docs/conferences.md");
/** The cells of the rows whose first cell is a number. */
const rowsOf = (heading: string): string[][] =>
  (doc.split(`\n${heading}\n`)[1]?.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => /^\| -?\d+ /.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
const operations = rowsOf("### Operations and their tests");
const results = rowsOf("## Results");

/** Operations that clients understand and this server never sends: all members at once, live configurations. */
const UNSENT = new Set(["304", "452"]);
/** Results of calls alone, and those that a member gives another one in its answer. */
const OF_OTHERS: ReadonlySet<number> = new Set([
  RESULT.otherDevice,
  CONFR_RESULT.controlRejected,
  CONFR_RESULT.controlBusy,
]);

function expectTest(what: string, cell: string): void {
  const [, file = "", title = ""] = /^`([^`]+)`: (.+)$/.exec(cell) ?? [];
  expect(existsSync(join(root, file)) && file !== "", `${what}: ${file}`).toBe(true);
  const before = read(file).split(`"${title}"`);
  expect(before.length, `${what}: ${title}`).toBeGreaterThan(1);
  expect(before[0]?.trimEnd(), what).toMatch(/(?:^|\s)(?:it|test)\($/);
}

describe("The tables of a conference's socket", () => {
  it("have every operation of both schemas once, with its schema", () => {
    const opsOf = (schema: { readonly options: readonly unknown[] }): number[] =>
      schema.options.map((one) => (one as { shape: { op: { value: number } } }).shape.op.value);
    const expected = [
      ...opsOf(confrClientSchema).map((op) => `${op} client confrClientSchema`),
      ...opsOf(confrServerSchema).map((op) => `${op} server confrServerSchema`),
    ];
    const named = operations.map(
      ([op = "", by = "", schema = ""]) => `${op} ${by} ${schema.replaceAll("`", "")}`,
    );
    expect(named.toSorted()).toEqual(expected.toSorted());
  });

  it("have every result once", () => {
    const known = [...Object.values(RESULT), ...Object.values(CONFR_RESULT)] as number[];
    expect(results.map(([code]) => Number(code)).toSorted()).toEqual(
      known.filter((code) => !OF_OTHERS.has(code)).toSorted(),
    );
  });

  it("name a test that runs in the file", () => {
    for (const [op = "", by = "", , test = ""] of operations) {
      if (by === "server" && UNSENT.has(op)) expect(test).toBe("not sent by this server");
      else expectTest(`${op} ${by}`, test);
    }
    for (const [code = "", , test = ""] of results) expectTest(code, test);
  });
});
