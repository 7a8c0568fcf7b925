/** Switches that the login page has too: language and theme. */
import { useTranslation } from "react-i18next";
import { PlainButton } from "./PlainButton.tsx";
import { PlainIcon } from "./PlainIcon.tsx";
import { currentLanguage, setLanguage } from "../i18n/index.ts";
import { useTheme } from "../state/services.ts";
import "./switches.css";

export function LanguageSwitch() {
  const { t } = useTranslation();
  const next = currentLanguage() === "zh" ? "en" : "zh";
  return (
    <PlainButton
      look="text"
      className="header-icon header-lang"
      // each language is named in itself
      translate="no"
      aria-label={`${t("layout.language")} ${next === "zh" ? "中文" : "English"}`}
      onClick={() => void setLanguage(next)}
    >
      {next === "zh" ? "中" : "EN"}
    </PlainButton>
  );
}

export function ThemeSwitch() {
  const { t } = useTranslation();
  const [theme, setTheme] = useTheme();
  const dark = theme === "dark";
  return (
    <PlainButton
      look="text"
      className="header-icon"
      aria-label={t(dark ? "layout.light" : "layout.dark")}
      icon={<PlainIcon name={dark ? "sun" : "moon"} />}
      onClick={() => setTheme(dark ? "light" : "dark")}
    />
  );
}
