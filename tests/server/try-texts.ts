/** Writes hostile texts through the free texts of a call, and says where one was changed, or refused without a reason. */
import type { Answer } from "../../src/server/platform.harness.ts";
import { employeeFields } from "../../src/shared/domain/employee-fields.ts";
import { readValue, type ValueRule } from "../../src/shared/domain/employee-values.ts";
import type { RestCall } from "../../src/shared/protocol/rest/index.ts";
import { type FreeText, ruleOf, shownTextsOf } from "../support/free-texts.ts";
import type { HostileCase } from "../support/hostile.ts";
import { type By, type CallInput, OWN_FIELD, type Row, type Writer } from "./kept-texts.ts";

export type Send = (call: RestCall, input: CallInput, by?: By) => Promise<Answer>;

/** A text instead of what stands at a place such as `body[].custom.*`; the first element of a list, the own field of any key. */
export function withText(input: CallInput, place: string, text: string): CallInput {
  const steps = place.replaceAll("[]", ".0").replace("*", OWN_FIELD).split(".");
  const put = (at: unknown, [step = "", ...rest]: readonly string[]): unknown => {
    const inner = (at as Row | undefined)?.[step];
    const value = rest.length === 0 ? text : put(inner, rest);
    if (!Array.isArray(at)) return { ...(at as Row | undefined), [step]: value };
    return at.map((one: unknown, i) => (String(i) === step ? value : one));
  };
  return put(input, steps) as CallInput;
}
/** How an answer names the field of a place. */
export const fieldOf = (place: string): string =>
  place
    .replaceAll("[]", ".0")
    .replace("*", OWN_FIELD)
    .replace(/^\w+\./, "");

const ownRule: ValueRule = { type: "text", max: 500 };
function valueRuleOf(place: string): ValueRule {
  const key = place.split(".").at(-1);
  const rule = employeeFields.find((field) => field.key === key)?.rule ?? ownRule;
  return rule.type === "dict" ? ownRule : rule;
}
/** A text as the import reads it; null when it refuses it. */
export function readAs(place: string, text: string): string | null {
  const verdict = readValue(valueRuleOf(place), text);
  return "value" in verdict ? verdict.value : null;
}
/** What a place keeps of a text that its schema takes; null when it keeps none. */
export function expected(call: RestCall, { place, schema }: FreeText, text: string): unknown {
  return ruleOf(call, place) === undefined ? schema.parse(text) : readAs(place, text);
}
export function keptAt(
  row: Row | undefined,
  place: string,
  fields: Readonly<Record<string, string>> = {},
) {
  const name = fields[place] ?? place.split(".").at(-1) ?? "";
  return name === "*" ? (row?.["custom"] as Row | undefined)?.[OWN_FIELD] : row?.[name];
}
/** As people read a name: names that read alike are one. */
const alike = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[\s\p{Cf}]/gu, "")
    .toLowerCase();

/** What one answer says of the fields that it refuses. */
function refusalFaults({ status, body }: Answer, refusing: readonly FreeText[]): readonly string[] {
  const named = (body.details?.["fields"] ?? {}) as Readonly<Record<string, string>>;
  return [
    ...(status === 400 ? [] : [`answered with ${status} ${body.msg}`]),
    ...refusing.flatMap(({ place }) => {
      const said = named[fieldOf(place)] ?? "";
      return /\p{Script=Han}/u.test(said) ? [] : [`${place} is refused with "${said}"`];
    }),
  ];
}

/**
 * Writes each case in all places at once that take it by their schemas, and in all others.
 *
 * @returns what is wrong, by the names of the cases, and how many were kept
 */
export async function tryTexts(
  call: RestCall,
  writer: Writer,
  cases: readonly HostileCase[],
  send: Send,
): Promise<{ readonly wrong: readonly string[]; readonly kept: number }> {
  const places = shownTextsOf(call);
  const wrong: string[] = [];
  const written = new Set<string>();
  let kept = 0;
  const inPlaces = (base: CallInput, at: readonly FreeText[], text: string): CallInput =>
    at.reduce((input, { place }) => withText(input, place, text), base);
  for (const [n, { name, text }] of cases.entries()) {
    const say = (what: string): void => void wrong.push(`${name}: ${what}`);
    const base = await writer.input(n);
    const refusing = places.filter(({ schema }) => !schema.safeParse(text).success);
    const taking = places.filter((one) => !refusing.includes(one));
    if (refusing.length > 0) {
      const answer = await send(call, inPlaces(base, refusing, text), writer.by);
      for (const fault of refusalFaults(answer, refusing)) say(fault);
    }
    if (taking.length === 0) continue;
    const input = inPlaces(base, taking, text);
    const { status, body } = await send(call, input, writer.by);
    if (status === 409 && written.has(alike(text))) continue;
    if (status !== 200) {
      say(`answered with ${status} ${JSON.stringify(body.details ?? body.msg)}`);
      continue;
    }
    written.add(alike(text));
    const row = await writer.kept(body.data, input, n);
    for (const one of taking) {
      const found = keptAt(row, one.place, writer.fields);
      if (found !== expected(call, one, text)) say(`${one.place} keeps ${JSON.stringify(found)}`);
    }
    kept += 1;
    if (row !== undefined) await writer.after?.(row);
  }
  return { wrong, kept };
}
