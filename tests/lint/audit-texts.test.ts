/** The operation log names each action and each thing that the server records (docs/server.md#logs). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ACTION_TEXTS, ENTITY_TEXTS } from "../../src/ui/features/monitor/texts.ts";

const SERVER = fileURLToPath(new URL("../../src/server", import.meta.url));

function recorded(field: "action" | "entity"): string[] {
  const sources = readdirSync(SERVER, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.(test|harness)\.ts$/.test(name))
    .map((name) => readFileSync(join(SERVER, name), "utf8"))
    .filter((text) => text.includes("/audit/index.ts"));
  // `field: "a"`, and each branch of `field: condition ? "a" : "b"`
  const found = sources.flatMap((text) =>
    [...text.matchAll(new RegExp(String.raw`\b${field}: ([^,;{}]*)`, "g"))].flatMap(
      ([, value = ""]) =>
        [...value.replaceAll(/===? "[^"]*"/g, "").matchAll(/"([a-z-]+)"/g)].map(
          ([, name = ""]) => name,
        ),
    ),
  );
  return [...new Set(found)].toSorted();
}

it.each([
  ["action", ACTION_TEXTS],
  ["entity", ENTITY_TEXTS],
] as const)("Each %s of an audit record has a name for people", (field, texts) => {
  const names = recorded(field);
  expect(names.length).toBeGreaterThan(9);
  expect(names.filter((name) => !Object.hasOwn(texts, name))).toEqual([]);
});
