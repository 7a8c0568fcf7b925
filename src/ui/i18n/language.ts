/** The language that the console shows. */
import i18next, { type i18n } from "i18next";

const LANGUAGES = ["zh", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

export const instance: i18n = i18next;

const isLanguage = (value: unknown): value is Language =>
  (LANGUAGES as readonly unknown[]).includes(value);

export const currentLanguage = (): Language =>
  isLanguage(instance.language) ? instance.language : "zh";
