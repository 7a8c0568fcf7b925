import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string, endings: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => endings.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name));

const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...filesIn("docs", /\.md$/)];

/** The anchors of a document, as GitHub makes them of its headings. */
function anchorsOf(document: string): Set<string> {
  const text = read(document).replaceAll(/^```[\s\S]*?^```/gm, "");
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** @returns what is wrong with a link, null when it leads somewhere */
function wrongLink(path: string, anchor: string | undefined): string | null {
  if (!existsSync(join(root, path))) return "there is no such file";
  if (anchor === undefined || !path.endsWith(".md")) return null;
  return anchorsOf(path).has(anchor) ? null : "there is no such heading";
}

/** @returns the links of a document that lead nowhere, each with the reason */
const wrongLinks = (document: string, text: string): string[] =>
  [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
    ([link, path = "", anchor]) => {
      const target = path === "" ? document : relative(root, join(root, dirname(document), path));
      const why = wrongLink(target, anchor);
      return why === null ? [] : [`${document}: ${link}: ${why}`];
    },
  );

describe("documents", () => {
  it("Every link in a document leads to a file and a heading that exist", () => {
    expect(documents.flatMap((document) => wrongLinks(document, read(document)))).toEqual([]);
  });

  it.each([
    ["[a](server.md#sms), [b](../README.md), [c](#roles), [d](https://example.org/x#y)", []],
    ["[a](no.md)", ["docs/conferences.md: ](no.md): there is no such file"]],
    ["[a](server.md#no)", ["docs/conferences.md: ](server.md#no): there is no such heading"]],
    ["[a](#no-such-part)", ["docs/conferences.md: ](#no-such-part): there is no such heading"]],
  ])("The links of %s are judged", (text, wrong) => {
    expect(wrongLinks("docs/conferences.md", text)).toEqual(wrong);
  });

  it("Every document that a comment names exists, with its heading", () => {
    const sources = ["src", "tests", "scripts"].flatMap((folder) =>
      filesIn(folder, /\.(?:ts|tsx|mjs|js|sql|css)$/),
    );
    const wrong = sources.flatMap((source) =>
      [...read(source).matchAll(/\b((?:docs\/[\w-]+|[A-Z]{4,})\.md)(?:#([\w-]+))?/g)].flatMap(
        ([link, path = "", anchor]) => {
          const why = wrongLink(path, anchor);
          return why === null ? [] : [`${source}: ${link}: ${why}`];
        },
      ),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["List page", 7],
    ["REST call with a table", 4],
  ])("%s: docs/adding.md needs at most %i files, each in a row of its own", (heading, limit) => {
    const [, section = ""] = read("docs/adding.md").split(`\n## ${heading}\n`);
    const rows = (section.split("\n## ")[0] ?? "")
      .split("\n")
      .filter((line) => /^\| \d/.test(line));
    const cells = rows.map((row) => row.split("|")[2]?.trim() ?? "");
    expect(cells.filter((cell) => !/^`(?:src|tests)\/[\w./-]+\.\w+`$/.test(cell))).toEqual([]);
    expect(cells.length).toBeGreaterThan(2);
    expect(new Set(cells).size).toBe(cells.length);
    expect(cells.length).toBeLessThanOrEqual(limit);
  });
});
