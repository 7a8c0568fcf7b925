/** Tests how a list call is asked for its pages: in the query or the body, by the platform's cursor or another one. */
import { expect, expectTypeOf, it } from "vitest";
import type { CoreClient } from "../../core-client/contracts.ts";
import type { Paging, PagingOf } from "../../shared/protocol/rest/page-calls.ts";
import { eachPage, type ListRequest, pageInput } from "./allRows.ts";

const BODY: Paging = { in: "body" };
/** By the number of rows before the page, under names of a platform's own. */
const OFFSET: Paging = { page: (page, size) => ({ from: (page - 1) * size, rows: size }) };

const employees = (paging?: Paging): ListRequest<"employees.list"> => ({
  call: "employees.list",
  filters: { departmentId: "7" },
  keyword: " 李 ",
  sort: "-name",
  paging,
});
const documents: ListRequest<"documents.list"> = {
  call: "documents.list",
  filters: { status: "handed" },
  keyword: "",
  sort: null,
  paging: BODY,
};

it("A page is asked for by cursor and limit in the query, or where and by what the list declares", () => {
  const rest = { departmentId: "7", keyword: "李", sort: "-name" };
  expect(pageInput(employees(), 3, 50)).toEqual({
    call: "employees.list",
    query: { ...rest, cursor: 3, limit: 50 },
  });
  expect(pageInput(employees(OFFSET), 3, 50)).toEqual({
    call: "employees.list",
    query: { ...rest, from: 100, rows: 50 },
  });
  expect(pageInput(documents, 1, 20)).toEqual({
    call: "documents.list",
    body: { status: "handed", cursor: 1, limit: 20 },
  });
  expect(pageInput({ ...documents, paging: { ...BODY, ...OFFSET } }, 2, 20)).toEqual({
    call: "documents.list",
    body: { status: "handed", from: 20, rows: 20 },
  });
});

it("All rows of a list with another cursor are read, each once", async () => {
  const all = Array.from({ length: 2500 }, (_, id) => ({ id: String(id) }));
  const asked: unknown[] = [];
  const rest = {
    call: (input: unknown) => {
      asked.push(input);
      const { from, rows } = (input as { body: { from: number; rows: number } }).body;
      return Promise.resolve({ records: all.slice(from, from + rows), total: all.length });
    },
  } as unknown as CoreClient["commands"]["rest"];
  const read: string[] = [];
  await eachPage(rest, { ...documents, paging: { ...BODY, ...OFFSET } }, (rows) => {
    read.push(...rows.map(({ id }) => id));
    return true;
  });
  expect(asked).toHaveLength(3);
  expect(read).toEqual(all.map(({ id }) => id));
});

it("A list whose call takes the page in its body must say so, and no other may", () => {
  expectTypeOf<PagingOf<"documents.list">>().toEqualTypeOf<{
    readonly paging: { readonly in: "body" } & {};
  }>();
  expectTypeOf<PagingOf<"employees.list">>().toEqualTypeOf<{ readonly paging?: undefined }>();
});
