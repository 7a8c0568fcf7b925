/** Every file and folder that a comment or a document names exists. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commentsOf, createProject, namesIn, stringsOf } from "./named-files.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const FOLDERS = ["src", "tests", "scripts", "docs", "public", ".ci"];
const files = [
  ...readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  ),
];
/** An applied migration never changes, so its comments speak of the folders of its day. */
const OLD = /\/migrations\/\d{4}_\w+\.sql$/;
/** These name what does not exist on purpose. */
const SAMPLES = /^tests\/lint\/(?:import-rules\.test|named-files(?:\.test)?)\.ts$/;
const sources = files.filter(
  (file) => /\.(?:tsx?|mts|mjs|js|sql|css)$/.test(file) && !OLD.test(file) && !SAMPLES.test(file),
);
const documents = files.filter((file) => file.endsWith(".md"));

describe("The names in a text", () => {
  it.each<readonly [text: string, ...names: string[]]>([
    ["see `message-list.tsx`, and store.ts.", "message-list.tsx", "store.ts"],
    ["in ../calls/store.ts: (./mirror.ts)", "../calls/store.ts", "./mirror.ts"],
    ["its home (processes/) and `bus/`", "processes/", "bus/"],
    ["rules of `base/signalling` hold", "base/signalling"],
    ["read/ahead-*.ts, tests/smoke.list", "read/ahead-*.ts", "tests/smoke.list"],
    ["[server](docs/server.md#sms)", "docs/server.md"],
    ["`/assets/` and/or https://example.org/a.html of *.ts, 3/4, `employees.list`"],
  ])("%s", (text, ...names) => {
    expect(namesIn(text)).toEqual(names);
  });

  it("are those of comments, not of code", () => {
    const source =
      'import { a } from "./a.ts";\n// of b.ts\n/** c.ts */\nconst d = "d.ts";\n * e.ts';
    expect(namesIn(commentsOf("x.ts", source))).toEqual(["b.ts", "c.ts", "e.ts"]);
    expect(namesIn(commentsOf("x.sql", "SELECT 1; -- of b.ts"))).toEqual(["b.ts"]);
  });
});

describe("A name", () => {
  const project = createProject(
    ["src/calls/store.ts", "src/calls/MessageList.tsx", "src/db/0001_menus.sql", "docs/server.md"],
    stringsOf(
      "src/calls/rest.ts",
      'route("/{provider}/rtc/req/ticket"); type("application/gzip"); // its "select/confr"',
    ),
  );
  const from = "src/calls/index.ts";
  it.each([
    "store.ts",
    "calls/store.ts",
    "./store.ts",
    "../../docs/server.md",
    "src/calls/",
    "db/NNNN_<name>.sql",
    "src/*/store.ts",
    "req/ticket",
    "application/gzip",
    "dist-lib/API.md",
  ])("%s exists", (name) => {
    expect(project.has(name, from)).toBe(true);
  });
  it.each([
    "message-list.tsx",
    "messagelist.tsx",
    "chat/store.ts",
    "../store.ts",
    "./server.md",
    "processes/",
    "ticket/",
    "src/*/server.ts",
    "select/confr",
  ])("%s does not exist", (name) => {
    expect(project.has(name, from)).toBe(false);
  });
});

describe("The project", () => {
  const project = createProject(files, sources.map((file) => stringsOf(file, read(file))).join(""));
  const missing = (among: readonly string[], textOf: (file: string) => string): string[] =>
    among.flatMap((file) =>
      namesIn(textOf(file))
        .filter((name) => !project.has(name, file))
        .map((name) => `${file}: ${name}`),
    );

  it("has every file and folder that a comment names", () => {
    expect(sources.length).toBeGreaterThan(1000);
    expect(missing(sources, (file) => commentsOf(file, read(file)))).toEqual([]);
  });

  it("has every file and folder that a document names", () => {
    expect(documents).toEqual(expect.arrayContaining(["README.md", "docs/calls.md"]));
    expect(missing(documents, read)).toEqual([]);
  });
});
