import { useEffect } from "react";
import { zh } from "../i18n/zh.ts";

/** Page title "{title} - {platform}", the platform's name alone when there is none (console spec §1). */
export function useTitle(title: string | null): void {
  useEffect(() => {
    // the platform's name stays Chinese in every language
    document.title = title === null || title === "" ? zh.platform : `${title} - ${zh.platform}`;
  }, [title]);
}
