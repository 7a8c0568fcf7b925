/** What is wrong with the own devices in words, and where the person allows them in this browser. */
import { useTranslation } from "react-i18next";
import { type Hint, permissionPlace } from "./own-devices.ts";

export function useHintText(): (hint: Hint) => string {
  const { t } = useTranslation();
  return (hint) => {
    if (hint.what === "watching") return t("conference.devices.watching");
    const which = t(`conference.devices.which.${hint.which}`);
    const what = t(`conference.devices.${hint.what}`, { which });
    if (hint.what !== "denied") return what;
    return what + t(`conference.devices.allow.${permissionPlace(navigator.userAgent)}`, { which });
  };
}
