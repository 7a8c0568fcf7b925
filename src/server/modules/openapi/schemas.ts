/** Converts zod schemas to JSON Schema 2020-12 within one OpenAPI document. A recursive schema becomes a component. */
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** Collects the components while schemas are added. */
export interface SchemaBook {
  /** @param name of the component if the schema needs one; letters, digits, dots */
  add(name: string, schema: z.ZodType): JsonSchema;
  readonly components: Record<string, JsonSchema>;
}

const REF = "#/components/schemas/";

export function createSchemaBook(): SchemaBook {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    add(name, schema) {
      // Describe the wire format: in requests before transforms, in answers after them.
      const {
        $schema: _,
        $defs,
        ...root
      } = z.toJSONSchema(schema, {
        io: "input",
        unrepresentable: "any",
      }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
      let rootIsMeant = false;
      // A reference is a text. A property that happens to be named $ref has a schema as its value.
      const moved = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(moved);
        if (typeof value !== "object" || value === null) return value;
        return Object.fromEntries(
          Object.entries(value).map(([key, inner]) => {
            if (key !== "$ref" || typeof inner !== "string") return [key, moved(inner)];
            if (inner === "#") {
              rootIsMeant = true;
              return [key, `${REF}${name}`];
            }
            return [key, inner.replace("#/$defs/", `${REF}${name}.`)];
          }),
        );
      };
      for (const [key, part] of Object.entries($defs ?? {})) {
        components[`${name}.${key}`] = moved(part) as JsonSchema;
      }
      const own = moved(root) as JsonSchema;
      if (!rootIsMeant) return own;
      components[name] = own;
      return { $ref: `${REF}${name}` };
    },
  };
}
