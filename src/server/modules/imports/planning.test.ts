/** A chunk is planned in steps, between which the server answers people (docs/import.md#chunk). */
import { expect, it } from "vitest";
import { fieldsInUse } from "../../../shared/domain/fields-in-use.ts";
import { IMPORT_CHUNK_ROWS } from "../../../shared/protocol/rest/imports.ts";
import type { Checker } from "../employees/check.ts";
import { readChunk } from "./chunk.ts";
import { FIELDS, people, toChunk } from "./chunks.harness.ts";
import { ROWS_PER_STEP } from "./rows.ts";

/** Notes how many rows it has checked whenever it is asked for the requirements of one. */
function countingChecker(): { checker: Checker; checked: () => number } {
  let checked = 0;
  return {
    checked: () => checked,
    checker: {
      own: [],
      inUse: fieldsInUse([]),
      facts: "",
      check: () => void (checked += 1),
      demand: () => undefined,
      departmentOf: () => undefined,
    },
  };
}

it("Between two steps no more than 200 rows of a full chunk are checked", async () => {
  const chunk = toChunk(people(IMPORT_CHUNK_ROWS, 1), FIELDS);
  const { checker, checked } = countingChecker();
  const seen = [0];
  let busy = true;
  // What a request does: it goes on with each round of the event loop.
  const look = (): void => {
    seen.push(checked());
    if (busy) setImmediate(look);
  };
  setImmediate(look);
  const { rows, planned } = await readChunk(chunk, [], checker);
  busy = false;
  expect(rows).toHaveLength(IMPORT_CHUNK_ROWS);
  expect(planned?.plan.fresh).toHaveLength(IMPORT_CHUNK_ROWS);
  const steps = [...seen, checked()].slice(1).map((now, i) => now - (seen[i] ?? 0));
  expect(Math.max(...steps)).toBe(ROWS_PER_STEP);
  // Name, number, ID number and telephone differ from row to row: ten pauses for each of them before the first check.
  const before = seen.filter((count) => count === 0).length;
  expect(before).toBeGreaterThanOrEqual((3 * IMPORT_CHUNK_ROWS) / ROWS_PER_STEP);
});
