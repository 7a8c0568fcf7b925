/** What is wrong with the own devices in words, and where the person allows them in this browser. */
import { useTranslation } from "react-i18next";
import { wordsOf } from "../../../shared/domain/device-errors.ts";
import { currentLanguage } from "../../i18n/index.ts";
import { type Hint, permissionPlace } from "../call-parts/own-devices.ts";

export function useHintText(): (hint: Hint) => string {
  const { t } = useTranslation();
  return (hint) => {
    if (hint.what === "watching") return t("conference.devices.watching");
    const which = t(`conference.devices.which.${hint.which}`);
    if (hint.what === "asking") return t("conference.devices.asking", { which });
    const { what, advice } = wordsOf(hint.which, hint.what, permissionPlace(navigator.userAgent));
    return currentLanguage() === "en" ? `${what.en}. ${advice.en}.` : `${what.zh}。${advice.zh}。`;
  };
}
