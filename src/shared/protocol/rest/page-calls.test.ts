import { expect, it } from "vitest";
import { employeeListCall } from "./company.ts";
import type { Filters, ListCallId, PageCallData, PageCallId, PageCallInput } from "./page-calls.ts";

it("The compiler knows which calls pages may make, and their input and answer", () => {
  const list: ListCallId & PageCallId = employeeListCall.id;
  const input: PageCallInput<"employees.list"> = { call: list, query: { limit: 20 } };
  const bare: PageCallInput<"employees.list"> = { call: list };
  const filters: Filters<"employees.list"> = {};
  const wrong = [
    // @ts-expect-error -- pages may not make this call
    (): PageCallId => "employees.createMany",
    // @ts-expect-error -- the limit is a number
    (): PageCallInput<"employees.list"> => ({ call: list, query: { limit: {} } }),
    // @ts-expect-error -- the call has no such filter
    (): PageCallInput<"employees.list"> => ({ call: list, query: { colour: "red" } }),
    // @ts-expect-error -- a row has no such field
    (answer: PageCallData<"employees.list">) => answer.records[0]?.colour,
  ];
  expect([input.call, bare.call, filters, wrong.length]).toEqual([list, list, {}, 4]);
});
