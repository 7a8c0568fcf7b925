/** Switches that the login page has too: language and theme. */
import { Button } from "@arco-design/web-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { currentLanguage, setLanguage } from "../i18n/index.ts";
import { useTheme } from "../state/services.ts";

export function LanguageSwitch() {
  const { t } = useTranslation();
  const next = currentLanguage() === "zh" ? "en" : "zh";
  return (
    <Button
      type="text"
      className="header-icon header-lang"
      aria-label={`${t("layout.language")} ${next === "zh" ? "中文" : "English"}`}
      onClick={() => void setLanguage(next)}
    >
      {next === "zh" ? "中" : "EN"}
    </Button>
  );
}

export function ThemeSwitch({ sun, moon }: { readonly sun: ReactNode; readonly moon: ReactNode }) {
  const { t } = useTranslation();
  const [theme, setTheme] = useTheme();
  const dark = theme === "dark";
  return (
    <Button
      type="text"
      className="header-icon"
      aria-label={t(dark ? "layout.light" : "layout.dark")}
      icon={dark ? sun : moon}
      onClick={() => setTheme(dark ? "light" : "dark")}
    />
  );
}
