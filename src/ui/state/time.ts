import { useTranslation } from "react-i18next";
import { relativeTime, type RelativeTexts } from "../../shared/domain/format.ts";
import { useServerNow } from "./services.ts";

/** Relative words for times of the server in the chosen language, refreshed every 30 s. */
export function useRelativeTime(): (time: number) => string {
  const { t } = useTranslation();
  const now = useServerNow(30_000);
  const texts: RelativeTexts = {
    justNow: t("time.justNow"),
    minutes: (n) => t("time.minutes", { n }),
    hours: (n) => t("time.hours", { n }),
    oneDay: t("time.oneDay"),
  };
  return (time) => relativeTime(time, now, texts, "{y}-{m}-{d}");
}
