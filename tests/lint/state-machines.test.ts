/** Checks that the drawings in docs/state-machines.md match the state tables. UPDATE_DOCS=1 rewrites them. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callTable } from "../../src/shared/domain/call.ts";
import { callGrowthTable } from "../../src/shared/domain/call-growth.ts";
import { pictureLadderTable } from "../../src/shared/domain/picture-ladder.ts";
import { callConnectionTable } from "../../src/shared/domain/call-connection.ts";
import { conferenceConnectionTable } from "../../src/shared/domain/conference-connection.ts";
import { groupCallTable } from "../../src/shared/domain/group-call.ts";
import { groupCallPersonTable } from "../../src/shared/domain/group-call-person.ts";
import { controlledScreenTable } from "../../src/shared/domain/controlled-screen.ts";
import { importTable } from "../../src/shared/domain/import-job.ts";
import { signallingSessionTable } from "../../src/shared/domain/signalling-session.ts";
import { alertTable } from "../../src/shared/domain/alert-states.ts";
import { downloadTable } from "../../src/shared/domain/download-queue.ts";
import { screenControllerTable } from "../../src/shared/domain/screen-controller.ts";
import { uploadTable } from "../../src/shared/domain/upload-queue.ts";
import { changesOf, toMermaid, toText } from "../../src/shared/domain/machine.ts";

const FILE = join(import.meta.dirname, "../../docs/state-machines.md");
const BEGIN = "<!-- tables:begin -->";
const END = "<!-- tables:end -->";

/** A drawing with more arrows cannot be read. */
const MOST_ARROWS = 40;

const tables = [
  callTable,
  callConnectionTable,
  callGrowthTable,
  pictureLadderTable,
  groupCallTable,
  groupCallPersonTable,
  signallingSessionTable,
  conferenceConnectionTable,
  controlledScreenTable,
  screenControllerTable,
  importTable,
  uploadTable,
  downloadTable,
  alertTable,
];

it("docs/state-machines.md contains the current drawing and rules of every state table", () => {
  const drawn = tables
    .map(
      (table) =>
        `## ${table.name}\n\n\`\`\`mermaid\n${toMermaid(table)}\n\`\`\`\n\n\`\`\`text\n${toText(table)}\n\`\`\`\n`,
    )
    .join("\n");
  const text = readFileSync(FILE, "utf8");
  const start = text.indexOf(BEGIN) + BEGIN.length;
  const end = text.indexOf(END);
  expect(start).toBeGreaterThan(BEGIN.length);
  const fresh = `${text.slice(0, start)}\n\n${drawn}\n${text.slice(end)}`;
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(FILE, fresh);
  expect(readFileSync(FILE, "utf8")).toBe(fresh);
});

it("Every state table of the shared rules is among them", () => {
  const folder = join(import.meta.dirname, "../../src/shared/domain");
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), "utf8").matchAll(
        /^export const \w+Table\b[^=]*= \{\s*name: "([^"]+)"/gm,
      ),
    ])
    .map((match) => match[1]);
  expect(tables.map((table) => table.name).sort()).toEqual(names.sort());
});

/** The changes of state that a drawing shows, as `state event → state`. */
function shownBy(drawing: string, states: readonly string[]): string[] {
  const boxes = new Map<string, string[]>();
  for (const [, text = "", id = ""] of drawing.matchAll(/^ {2}state "([^"]+)" as (\w+)$/gm)) {
    const [, missing] = /^any state but (.+)$/.exec(text) ?? [];
    const named = (missing ?? text).split(", ");
    boxes.set(id, missing === undefined ? named : states.filter((one) => !named.includes(one)));
  }
  return [...drawing.matchAll(/^ {2}(\w+) --> (\w+): (.+)$/gm)].flatMap(
    ([, from = "", to = "", events = ""]) =>
      (boxes.get(from) ?? [from]).flatMap((state) =>
        events.split(", ").map((event) => `${state} ${event} → ${to}`),
      ),
  );
}

it.each(tables)("The drawing of $name shows every change of state, each once", (table) => {
  const changes = changesOf(table).flatMap(({ event, sources, target }) =>
    sources.map((state) => `${state} ${event} → ${target}`),
  );
  expect(changes.length).toBeGreaterThan(4);
  expect(shownBy(toMermaid(table), table.states).sort()).toEqual(changes.sort());
});

it.each(tables)("The drawing of $name has fewer than 40 arrows", (table) => {
  expect(toMermaid(table).split(" --> ").length - 1).toBeLessThan(MOST_ARROWS);
});

it("An event that leads from several states to one is drawn as one arrow", () => {
  const states = ["idle", "ringing", "talking", "held", "lost"];
  const rule = (from: string[], on: string, to: string) => ({ from, on, to, do: [] });
  const table = {
    name: "sample",
    initial: "idle",
    states,
    rules: [
      rule(["idle"], "dial", "ringing"),
      rule(["ringing", "talking", "held", "lost"], "end", "idle"),
      rule(["talking", "held", "lost"], "fail", "ringing"),
      rule(["talking", "held"], "fail", "ringing"),
      rule(["talking", "held"], "lose", "lost"),
    ],
  };
  expect(toMermaid(table).split("\n")).toEqual([
    "stateDiagram-v2",
    '  state "any state but idle" as box1',
    '  state "talking, held, lost" as box2',
    "  [*] --> idle",
    "  idle --> ringing: dial",
    "  box1 --> idle: end",
    "  box2 --> ringing: fail",
    "  talking --> lost: lose",
    "  held --> lost: lose",
  ]);
});
