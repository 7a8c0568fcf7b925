import { describe, expect, it } from "vitest";
import { z } from "zod";
import { generate, schemaOf } from "./generate.ts";
import { seededRandom } from "../../src/shared/mutate.harness.ts";
import { textOf } from "./pattern.ts";

describe("Generated texts", () => {
  it.each([
    String.raw`^\d{1,19}(,\d{1,19}){0,9}$`,
    String.raw`^[\w-]{22}\.[a-z]{3,4}$`,
    "^[a-z][a-z0-9_]*$",
    String.raw`^1[3-9]\d{9}$`,
    "^(asc|desc)?$",
    String.raw`^(?:[a-z]+:){2}\*$`,
    "^[^<>]+$",
    "^[a-z0-9_-]+$",
    String.raw`^[\u4e00-\u9fff]{2,4}$`,
  ])("match the pattern %s", (pattern) => {
    const random = seededRandom(1);
    const made = Array.from({ length: 200 }, () => textOf(random, pattern));
    expect(made.filter((one) => !new RegExp(pattern).test(one))).toEqual([]);
    expect(new Set(made).size).toBeGreaterThan(1);
  });
});

describe("Generated values", () => {
  const tree: z.ZodType = z.object({
    op: z.enum(["and", "or"]),
    of: z.array(z.union([z.object({ field: z.string().min(1), n: z.int() }), z.lazy(() => tree)])),
  });
  it.each([
    [
      "an object",
      z.object({ a: z.string().max(5), b: z.int().min(2).max(4), c: z.boolean().optional() }),
    ],
    ["a union", z.union([z.literal("x"), z.number(), z.null()])],
    ["a record", z.record(z.string(), z.string())],
    ["a tree", tree],
    [
      "an array",
      z
        .array(z.object({ id: z.string().regex(/^\d+$/) }))
        .min(1)
        .max(2),
    ],
    ["what is coerced", z.object({ cursor: z.coerce.number().int().min(1).default(1) })],
  ])("match the schema of %s", (_what, schema) => {
    const random = seededRandom(2);
    const json = schemaOf(schema);
    for (let i = 0; i < 200; i += 1) {
      const value = generate(json, { random });
      expect(schema.safeParse(value).error?.issues, JSON.stringify(value)).toBeUndefined();
    }
  });

  it("take known values by the field's name", () => {
    const schema = schemaOf(z.object({ ids: z.array(z.string()).min(1), name: z.string() }));
    const known = (field: string) => (field === "ids" ? "7" : undefined);
    const value = generate(schema, { random: seededRandom(3), known });
    expect(new Set((value as { ids: string[] }).ids)).toEqual(new Set(["7"]));
  });
});
