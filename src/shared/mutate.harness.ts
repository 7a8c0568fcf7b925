/** Malformed input from valid input: typed mutations from a seed, so that a failure can be reproduced. */

/**
 * mulberry32, a seeded pseudo-random generator.
 *
 * @returns a function that returns 0..1
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Json = unknown;

const ODD: readonly Json[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  "",
  " ",
  "\0",
  "\ud800",
  "'; drop table conferences; --",
  "../../etc/passwd",
  "${jndi:ldap://x}",
  "x".repeat(5000),
  [],
  [[[[]]]],
  {},
  { toString: 1, constructor: null },
  "__proto__",
  "通话",
];

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every place within a value, as paths. */
function places(value: Json, at: readonly string[] = []): (readonly string[])[] {
  if (Array.isArray(value)) {
    return [at, ...value.flatMap((v: Json, i) => places(v, [...at, String(i)]))];
  }
  if (!isObject(value)) return [at];
  return [at, ...Object.entries(value).flatMap(([k, v]) => places(v, [...at, k]))];
}

function change(value: Json, path: readonly string[], by: (v: Json) => Json): Json {
  const [head, ...rest] = path;
  if (head === undefined) return by(value);
  if (Array.isArray(value)) {
    return value.map((v: Json, i) => (String(i) === head ? change(v, rest, by) : v));
  }
  if (!isObject(value)) return value;
  const copy: Record<string, Json> = { ...value };
  const changed = change(copy[head], rest, by);
  if (changed === undefined) delete copy[head];
  else copy[head] = changed;
  return copy;
}

export function pick<T>(random: () => number, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}

/**
 * One mutation of a valid value, as text: a part replaced by an odd value, a part removed, a part nested or repeated, a key
 * added, the text cut, a byte changed, or invalid JSON.
 */
export function mutate(random: () => number, valid: Json): string {
  const path = pick(random, places(valid));
  switch (Math.floor(random() * 9)) {
    case 0:
    case 1:
      return JSON.stringify(change(valid, path, () => pick(random, ODD))) ?? "null";
    case 2:
      return JSON.stringify(change(valid, path, () => undefined)) ?? "null";
    case 3:
      return JSON.stringify(change(valid, path, (v) => [v, v]));
    case 4:
      return JSON.stringify(change(valid, path, (v) => ({ value: v })));
    case 5:
      return JSON.stringify(change(valid, path, (v) => (typeof v === "number" ? String(v) : 7)));
    case 6: {
      const text = JSON.stringify(valid);
      return text.slice(0, Math.floor(random() * text.length));
    }
    case 7: {
      const text = JSON.stringify(valid);
      const at = Math.floor(random() * text.length);
      return (
        text.slice(0, at) +
        pick(random, ["\0", '"', "{", "]", ",", "\\", "\u{1f4a5}"]) +
        text.slice(at + 1)
      );
    }
    default:
      return pick(random, [
        "",
        "undefined",
        "NaN",
        "{'op':100}",
        "[".repeat(20_000),
        '{"a":'.repeat(5000),
        `{"op":${"9".repeat(400)}}`,
        '{"__proto__":{"op":200}}',
        "\u0000",
        "<xml/>",
      ]);
  }
}
