/** Texts that lie in the file of the page that shows them, each as a pair of Chinese and English. They are loaded with the page. */
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { currentLanguage } from "./index.ts";

type Pair = readonly [zh: string, en: string];

/** Names of the placeholders: `count` of "共 {{count, number}} 人". */
type Placeholder<S extends string> = S extends `${string}{{${infer Inside}}}${infer Rest}`
  ? (Inside extends `${infer Name},${string}` ? Name : Inside) | Placeholder<Rest>
  : never;

/** Both texts of a pair need the same placeholders. The compiler refuses a pair that differs. */
type Checked<T extends Record<string, Pair>> = {
  readonly [K in keyof T]: [Placeholder<T[K][0]>] extends [Placeholder<T[K][1]>]
    ? [Placeholder<T[K][1]>] extends [Placeholder<T[K][0]>]
      ? T[K]
      : never
    : never;
};

type Values<S extends string> = [Placeholder<S>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholder<S>, string | number>>];

export const texts = <const T extends Record<string, Pair>>(pairs: T & Checked<T>): T => pairs;

/** Words that follow a number: of `{count|row is|rows are}` the first for 1, else the second. Chinese words have one form. */
const inflected = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, name: string, one: string, many: string) =>
    Number(values[name]) === 1 ? one : many,
  );

export function textOf<T extends Record<string, Pair>, K extends keyof T>(
  pairs: T,
  key: K,
  ...values: Values<T[K][0]>
): string {
  const language = currentLanguage();
  const [zh, en] = pairs[key] as Pair;
  const { interpolator } = i18next.services;
  const given: Readonly<Record<string, string | number>> = values[0] ?? {};
  const template = language === "en" ? inflected(en, given) : zh;
  return interpolator.interpolate(template, given, language, {});
}

/** @returns the text of a key in the language chosen, with the values of its placeholders; renders again when the language changes */
export function useTexts<T extends Record<string, Pair>>(
  pairs: T,
): <K extends keyof T>(key: K, ...values: Values<T[K][0]>) => string {
  useTranslation();
  return (key, ...values) => textOf(pairs, key, ...values);
}
