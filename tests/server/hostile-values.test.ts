/** Hostile texts as values of the console's texts, which must not read them as texts of their own. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startI18n } from "../../src/ui/i18n/index.ts";
import { instance } from "../../src/ui/i18n/language.ts";
import { textOf, texts } from "../../src/ui/i18n/texts.ts";
import { HOSTILE } from "../support/hostile.ts";

/** And texts that would be read as placeholders, as the names of other texts, or as words of a replacement. */
const VALUES = [...HOSTILE, "{{name}}", "{{first}}", "{{- first}}", "{{company}}", "$t(x, {})"];
const PAIRS = texts({
  between: ["甲{{first}}乙{{name}}丙{{first}}", "a{{first}}b{{name}}c{{first}}"],
});

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  await startI18n();
});
afterAll(() => vi.unstubAllGlobals());

test("What a person wrote stands in a text of a page to the letter", () => {
  const shown = (first: string, name: string): string => textOf(PAIRS, "between", { first, name });
  const wrong = VALUES.filter(
    (text) =>
      shown(text, "名") !== `甲${text}乙名丙${text}` || shown("首", text) !== `甲首乙${text}丙首`,
  );
  expect(wrong).toEqual([]);
});

test("What a person wrote stands in a text of the frame to the letter", () => {
  const wrong = VALUES.filter(
    (company) =>
      instance.t("layout.switchConfirm", { company }) !== `确认要切换到企业[${company}]吗?`,
  );
  expect(wrong).toEqual([]);
});
