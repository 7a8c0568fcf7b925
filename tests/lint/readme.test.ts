/** What README.md and the configuration in docs/server.md say of names and settings is what the code has. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEMO_PEOPLE } from "../../src/server/base/database/seed-people.ts";
import { consoleConfigSchema } from "../../src/shared/protocol/config.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const readme = read("README.md");
const names = (text: string): string[] =>
  [...text.matchAll(/`([A-Z][A-Z_]*[A-Z])`/g)].map(([, name = ""]) => name);
/** The first cells of the rows of a table. */
const firstCells = (text: string): string =>
  [...text.matchAll(/^\|([^|]+)\|/gm)].map(([, cell]) => cell).join("\n");

describe("The documents", () => {
  const source = ["config", "config-fleet", "config-sending"]
    .map((name) => read(`src/server/base/${name}.ts`))
    .join("");
  const variables = [
    ...new Set(
      [...source.matchAll(/^ {2}(?: {2})?([A-Z][A-Z_]+):/gm)].map(([, name = ""]) => name),
    ),
  ];
  const server = read("docs/server.md");
  const [, configuration = ""] = /^## Configuration$([\s\S]*?)^## /m.exec(server) ?? [];

  it("list every environment variable of the server, and no other", () => {
    expect(variables.length).toBeGreaterThan(40);
    const listed = names(firstCells(configuration));
    const byTheWay = ["ADMIN_USERNAME", "ADMIN_PASSWORD"];
    expect(configuration).toContain("`ADMIN_USERNAME` and `ADMIN_PASSWORD`");
    expect([...listed, ...byTheWay].sort()).toEqual(variables.toSorted());
  });

  it("name in README.md only variables that exist", () => {
    const known = new Set(variables);
    expect(names(firstCells(readme)).length).toBeGreaterThan(10);
    expect(names(readme).filter((name) => name.includes("_") && !known.has(name))).toEqual([]);
  });

  it("show a configuration of the console that the console takes", () => {
    const [, example = "{}"] = /```json\n([\s\S]*?)```/.exec(readme) ?? [];
    const parsed = consoleConfigSchema.parse(JSON.parse(example));
    expect(Object.keys(JSON.parse(example)).filter((key) => !(key in parsed))).toEqual([]);
  });

  it("list the accounts of the demo data", () => {
    const rows = [...readme.matchAll(/^\| `(\w+)` +\| (\p{L}+),/gmu)].map(([, user, name]) => [
      user,
      name,
    ]);
    expect(rows.sort()).toEqual(DEMO_PEOPLE.map(({ username, name }) => [username, name]).sort());
  });

  it("name only commands that package.json has", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const documents = readdirSync(join(root, "docs")).map((file) => `docs/${file}`);
    const wrong = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...documents].flatMap(
      (file) =>
        [...read(file).matchAll(/npm run ([a-z][\w:-]*)/g)].flatMap(([command, name = ""]) =>
          name in scripts ? [] : [`${file}: ${command}`],
        ),
    );
    expect(wrong).toEqual([]);
  });
});
