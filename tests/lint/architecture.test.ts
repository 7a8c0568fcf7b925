/** Checks that the diagrams in ARCHITECTURE.md match the state tables. UPDATE_DOCS=1 rewrites them. */
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
import { importTable } from "../../src/shared/domain/import-job.ts";
import { signallingSessionTable } from "../../src/shared/domain/signalling-session.ts";
import { toMermaid, toText } from "../../src/shared/domain/machine.ts";

const FILE = join(import.meta.dirname, "../../ARCHITECTURE.md");
const BEGIN = "<!-- tables:begin -->";
const END = "<!-- tables:end -->";

const tables = [
  callTable,
  callConnectionTable,
  callGrowthTable,
  pictureLadderTable,
  groupCallTable,
  groupCallPersonTable,
  signallingSessionTable,
  conferenceConnectionTable,
  importTable,
];

it("ARCHITECTURE.md contains the current diagram and rules of every state table", () => {
  const drawn = tables
    .map(
      (table) =>
        `### ${table.name}\n\n\`\`\`mermaid\n${toMermaid(table)}\n\`\`\`\n\n\`\`\`text\n${toText(table)}\n\`\`\`\n`,
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
