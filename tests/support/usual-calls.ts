/**
 * Calls of the usual kind: `x.create`, `x.update` and `x.delete` of records with a version that `x.list` shows by pages. A test that works
 * with all of them needs no line for a new one (docs/adding.md#list-page).
 */
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { generate, schemaOf } from "../server/generate.ts";
import { shownTextsOf } from "./free-texts.ts";

export interface UsualCalls {
  readonly name: string;
  readonly create: RestCall;
  readonly update: RestCall;
  readonly remove: RestCall;
  readonly list: RestCall;
  /** Reads one by its id, where there is such a call. */
  readonly get: RestCall | undefined;
}

const CALLS = new Map<string, RestCall>(Object.values(restCalls).map((call) => [call.id, call]));
const propertiesOf = (call: RestCall): readonly string[] =>
  Object.keys((schemaOf(call.body)["properties"] ?? {}) as object);

export const USUAL_CALLS: readonly UsualCalls[] = [...CALLS.values()].flatMap((create) => {
  const name = /^(\w+)\.create$/.exec(create.id)?.[1] ?? "";
  const [update, remove, list] = ["update", "delete", "list"].map((one) =>
    CALLS.get(`${name}.${one}`),
  );
  if (update === undefined || remove === undefined || list === undefined) return [];
  const changes = propertiesOf(update);
  const isUsual =
    changes.includes("id") &&
    changes.includes("version") &&
    remove.path.endsWith("/{id}") &&
    "properties" in schemaOf(list.query) &&
    list.method === "GET" &&
    shownTextsOf(create).every(({ place }) => /^body\.\w+$/.test(place));
  return isUsual ? [{ name, create, update, remove, list, get: CALLS.get(`${name}.get`) }] : [];
});

/** The first value that a schema takes. A key with a pattern gets the number, so that it is another one each time. */
function firstOf(schema: Readonly<Record<string, unknown>>, n: number): unknown {
  const value = generate(schema, { random: () => 0 });
  const numbered = `${String(value)}_${n}`;
  const { pattern, examples } = schema;
  return examples === undefined && typeof pattern === "string" && new RegExp(pattern).test(numbered)
    ? numbered
    : value;
}

/** A body with the required fields alone. @param n makes it another one */
export function usualBody({ create }: UsualCalls, n: number): Record<string, unknown> {
  const schema = schemaOf(create.body);
  const required = (schema["required"] ?? []) as readonly string[];
  const properties = schema["properties"] as Readonly<Record<string, Record<string, unknown>>>;
  const texts = shownTextsOf(create).map(({ place }) => place);
  return Object.fromEntries(
    required.map((key) => [
      key,
      texts.includes(`body.${key}`) ? `文${n}` : firstOf(properties[key] ?? {}, n),
    ]),
  );
}
