/** Checks that the library's reference contains every method and event with its docstring. */
import { expect, it } from "vitest";
// @ts-expect-error a script for people has no types
import { readInterface, reference } from "../../scripts/api-reference.mjs";
import { faceWorld } from "../../src/conference-lib/face/face.harness.ts";

const text = reference() as string;
/** A signature and the text up to the next one. */
const entries = text.split("```ts\n").slice(1);
const entryOf = (name: string): string | undefined =>
  entries.find((entry) => new RegExp(`^${name}\\b`).test(entry));
const docOf = (entry: string): string => (entry.split("```")[1] ?? "").split("\n#")[0]!.trim();

it.each(Object.keys(faceWorld().face))("The method %s is documented", (method) => {
  const entry = entryOf(method);
  expect(entry).toBeDefined();
  expect(docOf(entry ?? "")).not.toBe("");
});

it("Every event has a description", () => {
  const events = entries.filter((entry) => /^on[A-Z]\w+: \(/.test(entry));
  expect(events.length).toBeGreaterThanOrEqual(24);
  expect(events.filter((entry) => docOf(entry) === "")).toEqual([]);
});

it("The reader handles members that span several lines, and reports a missing interface", () => {
  const source =
    "/** A. */\nexport interface A {\n  /** B. */\n  b(\n    c: { d: 1 },\n  ): void;\n}\n";
  expect(readInterface(source, "A")).toEqual({
    doc: "A.",
    members: [{ signature: "b(\n  c: { d: 1 },\n): void;", doc: "B." }],
  });
  expect(readInterface(source, "Z")).toBeNull();
});
