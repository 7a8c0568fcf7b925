import { expect, it } from "vitest";
import { markOf } from "../../../shared/domain/number-marks.ts";
import type { AskTaken } from "../../../shared/protocol/import-worker.ts";
import type { Column } from "./columns.ts";
import { createTaken } from "./taken.ts";

type Asked = Parameters<AskTaken>[0];

/** A column of employee numbers. */
function columnOf(values: string[]): { column: Column; taken: string[] } {
  const taken: string[] = [];
  const column = {
    field: { key: "employeeNo" },
    get count() {
      return values.length;
    },
    value: (id: number) => values[id] ?? "",
    setTaken: (value: string) => void taken.push(value),
  } as unknown as Column;
  return { column, taken };
}

/** A tenant whose employees have these numbers; its marks come in pages. */
function company(borne: readonly string[], page: number, employed = borne.length) {
  const asked: Asked[] = [];
  const ask: AskTaken = async (body) => {
    asked.push(body);
    const employeeNos = body.employeeNos.filter((value) => borne.includes(value));
    if (body.marksAfter === undefined) return { idNumbers: [], employeeNos };
    const from = Number(body.marksAfter);
    const next = from + page < borne.length ? String(from + page) : null;
    const marks = borne.slice(from, from + page).map(markOf);
    return {
      idNumbers: [],
      employeeNos,
      marks: { idNumbers: [], employeeNos: marks, next, employed },
    };
  };
  return { ask, asked };
}
const breathe = async (): Promise<void> => undefined;
const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `T${i}`);

it("Of a file with 100,000 numbers, only those whose mark is known are sent to the server", async () => {
  const values = numbers(100_000);
  const { column, taken } = columnOf(values);
  const { ask, asked } = company(["A1", "T17", "T99999", "A2"], 3);
  const learn = createTaken([column], "insert", ask, breathe);
  await learn();
  expect(taken).toEqual(["T17", "T99999"]);
  expect(asked).toEqual([
    { idNumbers: [], employeeNos: [], marksAfter: "0" },
    { idNumbers: [], employeeNos: [], marksAfter: "3" },
    { idNumbers: [], employeeNos: ["T17", "T99999"] },
  ]);
  // A number that is edited later is sent as well.
  values.push("A1");
  await learn();
  expect(asked.at(-1)).toEqual({ idNumbers: [], employeeNos: ["A1"] });
  expect(taken.at(-1)).toBe("A1");
});

it("All numbers are sent when the tenant has far more employees than the file has rows, or the server gives no marks", async () => {
  for (const known of [true, false]) {
    const { column, taken } = columnOf(numbers(6000));
    const { ask, asked } = company(["T3", "T5999"], 10, 100_000);
    const server: AskTaken = async (body) => {
      const { marks, ...rest } = await ask(body);
      return known && marks !== undefined ? { ...rest, marks } : rest;
    };
    await createTaken([column], "insert", server, breathe)();
    expect(taken).toEqual(["T3", "T5999"]);
    expect(asked.map(({ employeeNos }) => employeeNos.length)).toEqual([0, 5000, 1000]);
  }
});
