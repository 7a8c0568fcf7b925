/** zod schemas as JSON Schema 2020-12 within one OpenAPI document: what refers to itself becomes a component. */
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** Collects components while the schemas of a document are put in. */
export interface SchemaBook {
  /** @param name of the component, should the schema need one; letters, digits, dots */
  add(name: string, schema: z.ZodType): JsonSchema;
  readonly components: Record<string, JsonSchema>;
}

const REF = "#/components/schemas/";

export function createSchemaBook(): SchemaBook {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    add(name, schema) {
      // what stands on the wire: before transforms in requests, as handed over in answers
      const {
        $schema: _,
        $defs,
        ...root
      } = z.toJSONSchema(schema, {
        io: "input",
        unrepresentable: "any",
      }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
      let rootIsMeant = false;
      // a reference is a key of a schema; a property that happens to be called $ref has a schema, no text
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
