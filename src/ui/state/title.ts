import { useEffect } from "react";
import { useTranslation } from "react-i18next";

/** Sets the page title to "{title} - {platform}", without a title to the platform's name, in the chosen language. */
export function useTitle(title: string | null): void {
  const { t } = useTranslation();
  const platform = t("platform");
  useEffect(() => {
    document.title = title === null || title === "" ? platform : `${title} - ${platform}`;
  }, [title, platform]);
}
