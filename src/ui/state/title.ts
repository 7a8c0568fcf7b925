import { useEffect } from "react";
import { useTranslation } from "react-i18next";

/** What a page's title says. */
export interface TitleParts {
  /** Name of the page; null or "": none. */
  readonly title: string | null;
  readonly platform: string;
  /** Unread messages and missed calls. */
  readonly news: number;
  /** What an incoming call says; null: nothing rings. */
  readonly ring: string | null;
}

/** A ring takes the place of the page's name, since a tab shows only the beginning. */
export function titleOf({ title, platform, news, ring }: TitleParts): string {
  if (ring !== null) return ring;
  const count = news > 0 ? `(${news > 99 ? "99+" : news}) ` : "";
  return count + (title === null || title === "" ? platform : `${title} - ${platform}`);
}

/**
 * Sets the page title to "{title} - {platform}", without a title to the platform's name, in the chosen language.
 *
 * @param news unread messages and missed calls stand before it
 * @param ring what an incoming call says in its place
 */
export function useTitle(title: string | null, news = 0, ring: string | null = null): void {
  const { t } = useTranslation();
  const text = titleOf({ title, platform: t("platform"), news, ring });
  useEffect(() => {
    document.title = text;
  }, [text]);
}

/** Shows a number on the icon of the installed console, where the browser can. @param news unread messages, missed calls, and a ring */
export function useBadge(news: number): void {
  useEffect(() => {
    if (!("setAppBadge" in navigator)) return;
    // refused where the console is not installed
    navigator.setAppBadge(news).catch(() => undefined);
  }, [news]);
}
