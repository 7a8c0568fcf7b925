/** Generates texts that match a regular expression. Supports the syntax that our schemas use. */
import { pick } from "../../src/shared/mutate.harness.ts";

type Random = () => number;

const WORD = "abcxyzABZ019_";
const DIGIT = "0123456789";
const CLASSES: Record<string, string> = { d: DIGIT, w: WORD, s: " \t" };
const REPEAT_MAX = 6;

/**
 * @param pattern of a JSON schema: groups, classes, alternatives, quantifiers, anchors; look-around is ignored
 * @returns a text that usually matches
 */
export function textOf(random: Random, pattern: string): string {
  let at = 0;
  const many = (min: number, max: number): number =>
    min + Math.floor(random() * (Math.min(max, min + REPEAT_MAX) - min + 1));

  /** @returns a generator, so that each repetition differs */
  function alternatives(): () => string {
    const all = [sequence()];
    while (pattern[at] === "|") {
      at += 1;
      all.push(sequence());
    }
    return () => pick(random, all)();
  }
  function sequence(): () => string {
    const parts: (() => string)[] = [];
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") {
      const one = quantified(atom());
      parts.push(one);
    }
    return () => parts.map((part) => part()).join("");
  }
  function quantified(one: () => string): () => string {
    let [min, max] = [1, 1];
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(pattern.slice(at));
    if (counted !== null) {
      at += counted[0].length;
      min = Number(counted[1]);
      max = counted[2] === "" ? min : counted[3] === "" ? min + REPEAT_MAX : Number(counted[3]);
    } else if (pattern[at] === "*" || pattern[at] === "+" || pattern[at] === "?") {
      min = pattern[at] === "+" ? 1 : 0;
      max = pattern[at] === "?" ? 1 : min + REPEAT_MAX;
      at += 1;
    }
    if (pattern[at] === "?") at += 1;
    return () => Array.from({ length: many(min, max) }, one).join("");
  }
  function atom(): () => string {
    const sign = pattern[at] ?? "";
    at += 1;
    if (sign === "^" || sign === "$") return () => "";
    if (sign === ".") return () => pick(random, [..."a字 -"]);
    if (sign === "[") return oneOf(charClass());
    if (sign === "(") {
      const ahead = /^\?(?::|<?[=!]|<\w+>)/.exec(pattern.slice(at))?.[0] ?? "";
      at += ahead.length;
      const inner = alternatives();
      at += 1;
      return /[=!]$/.test(ahead) ? () => "" : inner;
    }
    if (sign === "\\") {
      const escaped = pattern[at] ?? "";
      at += 1;
      if (escaped === "b") return () => "";
      if (escaped === "u" || escaped === "p" || escaped === "P") return oneOf(unicode(escaped));
      return oneOf(CLASSES[escaped] ?? (escaped === "S" || escaped === "D" ? "ax" : escaped));
    }
    return () => sign;
  }
  function unicode(kind: string): string {
    const rest = pattern.slice(at);
    const code = kind === "u" ? /^\{?([\da-fA-F]{4,6})\}?/.exec(rest) : /^\{[^}]*\}/.exec(rest);
    at += code?.[0].length ?? 0;
    return kind === "u" ? String.fromCodePoint(Number.parseInt(code?.[1] ?? "61", 16)) : "a字";
  }
  function charClass(): string {
    const not = pattern[at] === "^";
    if (not) at += 1;
    let signs = "";
    while (at < pattern.length && pattern[at] !== "]") {
      let sign = pattern[at] ?? "";
      at += 1;
      if (sign === "\\") {
        const escaped = pattern[at] ?? "";
        at += 1;
        sign = /[up]/i.test(escaped) ? unicode(escaped) : (CLASSES[escaped] ?? escaped);
      }
      if (sign.length === 1 && pattern[at] === "-" && pattern[at + 1] !== "]") {
        at += 1;
        if (pattern[at] === "\\") at += 1;
        let to = pattern[at] ?? sign;
        at += 1;
        if (to === "u") to = unicode("u");
        const [low, high] = [sign.codePointAt(0) ?? 97, to.codePointAt(0) ?? 97];
        sign = [low, high, Math.floor((low + high) / 2)]
          .map((code) => String.fromCodePoint(code))
          .join("");
      }
      signs += sign;
    }
    at += 1;
    return not ? [..."ax0字 -"].filter((sign) => !signs.includes(sign)).join("") || "q" : signs;
  }
  const oneOf =
    (signs: string): (() => string) =>
    () =>
      pick(random, [...(signs === "" ? "a" : signs)]);

  return alternatives()();
}
