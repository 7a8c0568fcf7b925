/**
 * Texts of the console by key. The Chinese of the login is built in, the other Chinese is loaded with the parts that need it, and
 * English when it is chosen. The text of an error is found by its code, so that it follows the language.
 */
import { initReactI18next } from "react-i18next";
import { AppError, ERROR_CATALOGUE } from "../../shared/errors.ts";
import { readLocal, writeLocal } from "../storage.ts";
import { currentLanguage, instance, type Language } from "./language.ts";
import { firstZh } from "./zh-first.ts";

export { currentLanguage, type Language } from "./language.ts";

const KEY = "lang";
/** Namespace of the English texts of errors, which are loaded with English. */
const ERRORS = "errors";

async function load(language: Language): Promise<void> {
  if (language === "en" && !instance.hasResourceBundle("en", "translation")) {
    // notices must appear without the server too
    const [{ en }, { ERROR_TEXTS_EN }] = await Promise.all([
      import("./en.ts"),
      import("../../shared/error-texts-en.ts"),
      import("./notices.ts"),
    ]);
    instance.addResourceBundle("en", "translation", en);
    instance.addResourceBundle("en", ERRORS, ERROR_TEXTS_EN);
  }
}

/** Loads the Chinese texts that the login does without. They are there in English too, for what the English texts lack. */
export async function loadTexts(): Promise<void> {
  const { zh } = await import("./zh.ts");
  instance.addResourceBundle("zh", "translation", zh);
}

/** Starts in the language chosen last, Chinese at first. */
export async function startI18n(): Promise<void> {
  await instance.use(initReactI18next).init({
    lng: "zh",
    fallbackLng: "zh",
    resources: { zh: { translation: firstZh } },
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
  // An error of one device brings its own words in both languages.
  const english = known.details?.["en"];
  if (currentLanguage() === "en" && typeof english === "string") return english;
  if (known.message !== entry.zh) return known.message;
  if (currentLanguage() !== "en") return entry.zh;
  const text: unknown = instance.getResource("en", ERRORS, known.code, { keySeparator: false });
  return typeof text === "string" ? text : entry.zh;
}
