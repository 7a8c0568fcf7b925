/** The timings that docs/calls.md names are those of the code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CALL_TIMEOUTS } from "../../src/shared/domain/call.ts";
import { CALL_CONFIG } from "../../src/workers/core/calls/config.ts";

const text = readFileSync(join(import.meta.dirname, "../../docs/calls.md"), "utf8");
const section = /^## Timeouts$([\s\S]*?)^## /m.exec(text)?.[1] ?? "";
const rows = [...section.matchAll(/^\| *`?(\w+)`? *\| *(\d+) *\|/gm)].map(
  ([, name = "", value]) => [name, Number(value)] as const,
);

it("docs/calls.md lists every timing of a call with its value", () => {
  expect(Object.fromEntries(rows)).toEqual({ ...CALL_CONFIG, ...CALL_TIMEOUTS });
});
