import { expectTypeOf, it } from "vitest";
import type { ListCallId, PageCallId } from "./page-calls.ts";

it("A list takes only calls whose rows have an id, by which it knows them", () => {
  expectTypeOf<"employees.list" | "bulletins.list">().toExtend<ListCallId>();
  expectTypeOf<"imports.refusals">().toExtend<PageCallId>();
  expectTypeOf<"imports.refusals">().not.toExtend<ListCallId>();
});
