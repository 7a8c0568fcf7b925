/** A table of a document and the table of the code that it explains have the same rows, in the same order. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CALL_CAUSES } from "../../src/shared/domain/call-causes.ts";
import { CALL_RESULTS } from "../../src/shared/domain/call-results.ts";
import { CALL_STATES } from "../../src/shared/domain/call-states.ts";
import { CAUSE_WORDS } from "../../src/shared/domain/device-error-words.ts";
import { DEVICE_CAUSES } from "../../src/shared/domain/device-states.ts";
import { LEVELS } from "../../src/shared/domain/fleet-names.ts";
import { SOCKET_LOSSES } from "../../src/shared/domain/socket-losses.ts";
import { QUALITY_THRESHOLDS } from "../../src/shared/domain/quality.ts";
import {
  END_REASON,
  RESULT,
  SIGNALLING_LIMITS,
  WS_CLOSE,
} from "../../src/shared/protocol/signalling.ts";
import { TASK_IDS } from "../../src/shared/protocol/rest/tasks.ts";
import { LIMITS } from "../../src/workers/import/read/limits.ts";

type Row = readonly string[];

const sectionOf = (document: string, heading: string): string => {
  const text = readFileSync(join(import.meta.dirname, "../../docs", document), "utf8");
  const [, section] =
    new RegExp(`^##+ ${heading}$([\\s\\S]*?)(?=^##|(?![\\s\\S]))`, "m").exec(text) ?? [];
  if (section === undefined) throw new Error(`docs/${document} has no part ${heading}`);
  return section;
};
/** The rows of the table of a part whose first column has this title; a cell without the marks of code. */
function rowsOf(document: string, heading: string, title: string): Row[] {
  const lines = sectionOf(document, heading).split("\n");
  const begin = lines.findIndex((line) => line.startsWith(`| ${title} `));
  expect(begin, `docs/${document}, ${heading}: a table that begins with ${title}`).not.toBe(-1);
  const rows = lines.slice(begin + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end === -1 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}
const columnOf = (...table: Parameters<typeof rowsOf>): string[] =>
  rowsOf(...table).map(([first = ""]) => first);
const sorted = (values: Iterable<string | number>): string[] => [...values].map(String).sort();
/** A number as documents write it: from 10,000 on with commas. */
const written = (value: number): string =>
  value < 10_000 ? String(value) : value.toLocaleString("en");

it.each<readonly [...table: Parameters<typeof rowsOf>, names: readonly string[]]>([
  ["server.md", "Tasks", "task", TASK_IDS],
  ["calls.md", "Records", "Result", CALL_RESULTS],
  ["calls.md", "Causes", "Cause", CALL_CAUSES],
  ["calls.md", "Device errors", "Cause", DEVICE_CAUSES],
])("docs/%s: the table of %s has the rows of the code", (document, heading, title, names) => {
  expect(columnOf(document, heading, title)).toEqual(names);
});

it.each<readonly [...table: Parameters<typeof rowsOf>, numbers: Readonly<Record<string, number>>]>([
  ["calls.md", "End reasons", "Reason", END_REASON],
  ["calls.md", "Result codes", "Code", RESULT],
  ["server.md", "Sockets", "close code", WS_CLOSE],
])("docs/%s: %s lists every number of the code, and no other", (document, heading, title, all) => {
  expect(sorted(columnOf(document, heading, title))).toEqual(sorted(Object.values(all)));
});

it("docs/calls.md lists the states of a call by their numbers", () => {
  const rows = rowsOf("calls.md", "States", "Number").map(([number, name]) => [number, name]);
  expect(rows).toEqual(CALL_STATES.map((name, number) => [String(number), name]));
});

it("docs/calls.md gives each cause of a device error its code and its ways out", () => {
  const rows = rowsOf("calls.md", "Device errors", "Cause").map(([cause, , code, ways]) => [
    cause,
    code,
    ways,
  ]);
  // Below the table the document says that the person can go on without the device in each row.
  const waysOf = (ways: readonly string[]): string =>
    ways.filter((way) => way !== "without").join(", ") || "none";
  expect(rows).toEqual(
    DEVICE_CAUSES.map((cause) => [cause, CAUSE_WORDS[cause].code, waysOf(CAUSE_WORDS[cause].ways)]),
  );
});

it("docs/calls.md has the limits of the signalling socket", () => {
  const limits = new Map(
    rowsOf("calls.md", "Limits", "What").map(([what = "", limit = ""]) => [what, limit]),
  );
  const { frameBytes, framesPerSecond, burst, badFrames } = SIGNALLING_LIMITS;
  expect(limits.get("a frame")).toBe(`${frameBytes / 1024} KiB, text`);
  expect(limits.get("frames")).toBe(`${framesPerSecond} a second, ${burst} at once`);
  expect(limits.get("frames over the rate, and unreadable ones")).toMatch(`${badFrames} of each`);
});

it("docs/calls.md has the thresholds of the quality of a stream", () => {
  const text = rowsOf("calls.md", "Quality samples", "Score").flat().join(" ");
  const { rttMillis, noTrafficMillis, audioLossPercent, videoLossPercent, heldMillis } =
    QUALITY_THRESHOLDS;
  expect(text).toContain(`for ${heldMillis}:`);
  expect(text).toContain(
    `${audioLossPercent} % or more (sound), ${videoLossPercent} % or more (picture)`,
  );
  expect(text).toContain(`round trip of ${rttMillis} or more`);
  expect(text).toContain(`no traffic for ${noTrafficMillis}`);
});

it("docs/server.md names every level and every loss that a core reports", () => {
  const [levels = ""] = columnOf("server.md", "Reports of cores", "metric");
  expect(levels.split(", ")).toEqual(LEVELS);
  const lost = rowsOf("server.md", "Reports of cores", "field").find(([field]) =>
    field?.startsWith("sockets.<name>.lost"),
  );
  expect(lost?.[1]?.replace("losses: ", "").split(", ")).toEqual(SOCKET_LOSSES);
});

it("docs/import.md has the limits of a file", () => {
  const limits = new Map(
    rowsOf("import.md", "Limits", "thing").map(([thing = "", limit = ""]) => [thing, limit]),
  );
  expect(Object.fromEntries(limits)).toEqual({
    "rows of a sheet, and of one import": written(LIMITS.rows),
    columns: written(LIMITS.columns),
    "characters of a cell": written(LIMITS.cell / 3),
    cells: written(LIMITS.cells),
    "inflated sheet / shared strings / other part": [
      `${LIMITS.sheet / 2 ** 30} GiB`,
      `${LIMITS.strings / 2 ** 30} GiB`,
      `${LIMITS.part / 2 ** 20} MiB`,
    ].join(" / "),
    "one row with its tags": `${LIMITS.row / 2 ** 20} MiB`,
    "inflated per packed byte, from 48 MiB on": written(LIMITS.ratio),
    "zip entries, sheets": `${written(LIMITS.entries)}, ${written(LIMITS.sheets)}`,
    ".xls (read at once)": `${LIMITS.xlsBytes / 2 ** 20} MiB, ${written(LIMITS.xlsRows)} rows`,
  });
});
