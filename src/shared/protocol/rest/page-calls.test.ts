import { expect, it } from "vitest";
import { z } from "../../zod.ts";
import { restCalls } from "./index.ts";

const namesOf = (schema: unknown): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape as object) : [];

it("The rows of every list call of pages have an id, by which a list knows them", () => {
  const without = Object.values(restCalls).flatMap((call) => {
    const { page } = call as { readonly page?: boolean };
    if (page !== true || !(call.data instanceof z.ZodObject)) return [];
    const { records, total } = call.data.shape as Record<string, unknown>;
    if (!(records instanceof z.ZodArray) || total === undefined) return [];
    const names = namesOf(records.element);
    return names.includes("id") || names.includes("noticeId") ? [] : [call.id];
  });
  expect(without).toEqual([]);
});
