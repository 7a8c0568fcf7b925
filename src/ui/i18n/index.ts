/**
 * Texts of the console by key. Chinese is built in; English is loaded when it is chosen. The text of an error is found by its
 * code, the text of a call's notice by its key, so that both follow the language.
 */
import i18next, { type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { CALL_NOTICE_TEXTS } from "../../shared/domain/call-texts.ts";
import { type NoticeArgs, noticeIn } from "../../shared/domain/notice-texts.ts";
import { AppError, ERROR_CATALOGUE, type ErrorCode } from "../../shared/errors.ts";
import type { Notice } from "../../shared/protocol/state.ts";
import { readLocal, writeLocal } from "../state/storage.ts";
import { zh } from "./zh.ts";

export const LANGUAGES = ["zh", "en"] as const;
export type Language = (typeof LANGUAGES)[number];
const KEY = "lang";
const instance: i18n = i18next;

const isLanguage = (value: unknown): value is Language =>
  (LANGUAGES as readonly unknown[]).includes(value);

export const currentLanguage = (): Language =>
  isLanguage(instance.language) ? instance.language : "zh";

async function load(language: Language): Promise<void> {
  if (language === "en" && !instance.hasResourceBundle("en", "translation")) {
    const { en } = await import("./en.ts");
    instance.addResourceBundle("en", "translation", en);
  }
}

/** Starts in the language chosen last, Chinese at first. */
export async function startI18n(): Promise<void> {
  await instance.use(initReactI18next).init({
    lng: "zh",
    fallbackLng: "zh",
    resources: { zh: { translation: zh } },
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  const kept = readLocal(KEY);
  // Without the English texts the console still opens, in Chinese.
  if (kept === "en") await setLanguage("en").catch(() => undefined);
  document.documentElement.lang = currentLanguage() === "zh" ? "zh-CN" : "en";
}

/** Keeps the choice at once, so that a reload keeps it too, then loads the texts and shows them. */
export async function setLanguage(language: Language): Promise<void> {
  writeLocal(KEY, language);
  await load(language);
  await instance.changeLanguage(language);
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
}

/** The user text of an error. A message from the server is shown unchanged. */
export function errorText(error: unknown): string {
  const known = AppError.from(error);
  const entry = ERROR_CATALOGUE[known.code];
  if (known.message !== entry.zh) return known.message;
  return currentLanguage() === "en" ? entry.en : entry.zh;
}

const isCode = (key: string): key is ErrorCode => Object.hasOwn(ERROR_CATALOGUE, key);

/** A notice in the language chosen; what has no translation stays as the core wrote it. */
export function noticeText(notice: Notice): string {
  if (currentLanguage() === "zh") return notice.text;
  const code = notice.code ?? (isCode(notice.key) ? notice.key : undefined);
  if (code !== undefined && notice.text === ERROR_CATALOGUE[code].zh) {
    return ERROR_CATALOGUE[code].en;
  }
  return (
    CALL_NOTICE_TEXTS[notice.key]?.en ??
    noticeIn("en", notice.key, inEnglish(notice.args)) ??
    notice.text
  );
}

/** A reason that stands in a text follows the language too, by its code. */
function inEnglish(args: NoticeArgs = {}): NoticeArgs {
  const { why, code } = args;
  if (typeof code !== "string" || !isCode(code) || why !== ERROR_CATALOGUE[code].zh) return args;
  return { ...args, why: ERROR_CATALOGUE[code].en };
}
