import { expectTypeOf, it } from "vitest";
import type { DownloadCallId, ListCallId, PageCallId } from "./page-calls.ts";

it("Pages save files by the calls that say so, which are no calls of pages", () => {
  expectTypeOf<DownloadCallId>().toEqualTypeOf<
    "config.export" | "dict.export" | "employees.export" | "measured.file"
  >();
  expectTypeOf<"dict.export">().not.toExtend<PageCallId>();
});

it("A list takes only calls whose rows have an id, by which it knows them", () => {
  expectTypeOf<"employees.list" | "bulletins.list">().toExtend<ListCallId>();
  expectTypeOf<"imports.refusals">().toExtend<PageCallId>();
  expectTypeOf<"imports.refusals">().not.toExtend<ListCallId>();
});
