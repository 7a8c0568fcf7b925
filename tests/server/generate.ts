/** Generates values that a zod schema accepts, from its JSON Schema. Rules beyond JSON Schema (refine) may still refuse some. */
import { z } from "zod";
import { type Json, pick } from "../../src/shared/mutate.harness.ts";
import { textOf } from "./pattern.ts";

type Schema = { readonly [key: string]: unknown };

export interface GenerateOptions {
  readonly random: () => number;
  /** Values for a field by its name, such as existing ids; undefined leaves it to the schema. */
  readonly known?: (field: string) => Json | undefined;
}

const DEPTH_MAX = 5;
const ALPHABET = [..."abcxyzAZ019-_ .,%\\'\"<&中文字员工", "🔥", "é"];
const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const number = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

export function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

export function generate(schema: Schema, options: GenerateOptions, field = ""): Json {
  return one(schema, schema, options, field, 0);
}

function one(
  root: Schema,
  schema: Schema,
  options: GenerateOptions,
  field: string,
  depth: number,
): Json {
  const { random, known } = options;
  const inner = (part: unknown, name = field): Json =>
    one(root, isSchema(part) ? part : {}, options, name, depth + 1);
  const ref = schema["$ref"];
  if (typeof ref === "string") {
    const target = ref
      .split("/")
      .slice(1)
      .reduce<unknown>((at, key) => (isSchema(at) ? at[key] : undefined), root);
    return inner(target);
  }
  if ("const" in schema) return schema["const"] as Json;
  if (Array.isArray(schema["enum"])) return pick(random, schema["enum"] as Json[]);
  const either = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(either)) {
    // At the depth limit take the first alternative, otherwise nested filters would never end.
    return inner(depth < DEPTH_MAX ? pick(random, either) : either[0]);
  }
  if (Array.isArray(schema["allOf"])) {
    const merged = Object.assign({}, ...(schema["allOf"] as object[])) as Schema;
    return inner({ ...schema, allOf: undefined, ...merged });
  }
  const value = known?.(field);
  if (value !== undefined && schema["type"] !== "object" && schema["type"] !== "array")
    return value;
  switch (schema["type"]) {
    case "string":
      return text(schema, random);
    case "integer":
    case "number":
      return numeric(schema, random);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    case "array": {
      const min = number(schema["minItems"], 0);
      const max = Math.min(number(schema["maxItems"], min + 3), min + 3);
      const length = depth > DEPTH_MAX ? min : min + Math.floor(random() * (max - min + 1));
      return Array.from({ length }, () => inner(schema["items"]));
    }
    case "object": {
      const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
      const entries = Object.entries(
        (schema["properties"] ?? {}) as Record<string, unknown>,
      ).filter(([key]) => required.includes(key) || (depth <= DEPTH_MAX && random() < 0.5));
      const made: [string, Json][] = entries.map(([key, part]) => [key, inner(part, key)]);
      if (isSchema(schema["additionalProperties"]) && random() < 0.7) {
        made.push([
          pick(random, "propertyNames" in schema ? ["a", "extra"] : ["a", "extra", "字段"]),
          inner(schema["additionalProperties"], ""),
        ]);
      }
      return Object.fromEntries(made);
    }
    default:
      return pick<Json>(random, ["x", "1", 1, true, null, [], {}]);
  }
}

function text(schema: Schema, random: () => number): string {
  // Where a pattern says too little, the schema has examples.
  if (Array.isArray(schema["examples"])) return pick(random, schema["examples"] as string[]);
  if (typeof schema["pattern"] === "string") return textOf(random, schema["pattern"]);
  if (schema["format"] === "date-time") return "2026-01-02T03:04:05Z";
  if (schema["format"] === "date") return "2026-01-02";
  if (schema["format"] === "email") return "a@example.com";
  if (schema["format"] === "uri") return "https://example.com/a";
  const min = number(schema["minLength"], 0);
  const max = number(schema["maxLength"], min + 20);
  const near = Math.floor(random() * Math.min(max - min + 1, 12));
  // Sometimes use the full length.
  const length = random() < 0.1 ? max : min + near;
  return Array.from({ length }, () => pick(random, ALPHABET))
    .join("")
    .slice(0, max);
}

function numeric(schema: Schema, random: () => number): number {
  const min = number(schema["minimum"], number(schema["exclusiveMinimum"], -1) + 1);
  const max = number(schema["maximum"], number(schema["exclusiveMaximum"], min + 101) - 1);
  const value = pick(random, [min, max, min + random() * Math.min(max - min, 20)]);
  return schema["type"] === "integer" ? Math.round(value) : value;
}
