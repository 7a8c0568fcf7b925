/** Imports between the folders of a place form no circle, types included. The linter finds only circles between files. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, it } from "vitest";

const src = join(import.meta.dirname, "../../src");
/** Each folder directly in one of these is one thing. Files beside the folders are the door, which may use all of them. */
const PLACES = [
  "server/modules",
  "server/base",
  "workers/core",
  "rtc-main",
  "ui",
  "ui/features",
  "ui/components",
];

/** The folders that each folder of the place imports. */
function importsIn(place: string): ReadonlyMap<string, ReadonlySet<string>> {
  const root = join(src, place);
  const imports = new Map<string, Set<string>>();
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.includes("/"))
    .filter((file) => /(?<!\.(?:test|harness|fake|generated))\.tsx?$/.test(file));
  for (const file of files) {
    const [from = ""] = file.split("/");
    const text = readFileSync(join(root, file), "utf8");
    for (const [, path = ""] of text.matchAll(/(?:\bfrom |\bimport\()"(\.[^"]+)"/g)) {
      const target = posix.join(posix.dirname(file), path);
      const [to = ""] = target.split("/");
      if (target.startsWith("../") || !target.includes("/") || to === from) continue;
      imports.set(from, (imports.get(from) ?? new Set()).add(to));
    }
  }
  return imports;
}

/** Every folder that this one reaches by imports of imports. */
function reachedFrom(
  folder: string,
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const to of imports.get(next) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      waiting.push(to);
    }
  }
  return reached;
}

it.each(PLACES)("No folder of src/%s reaches itself by what it imports", (place) => {
  const imports = importsIn(place);
  expect(imports.size).toBeGreaterThan(3);
  expect([...imports.keys()].filter((one) => reachedFrom(one, imports).has(one))).toEqual([]);
});

it("A circle of three folders is found", () => {
  const circle = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["c"])],
    ["c", new Set(["a"])],
    ["d", new Set(["a"])],
  ]);
  expect([...circle.keys()].filter((one) => reachedFrom(one, circle).has(one))).toEqual([
    "a",
    "b",
    "c",
  ]);
});
