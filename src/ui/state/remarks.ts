/** What this person calls friends (docs/chat.md#remarks). Screens show it in place of the name; nothing that is sent may contain it. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { PLATFORM_SENDER, PLATFORM_SENDER_NAME } from "../../shared/protocol/platform-sender.ts";
import { currentLanguage } from "../i18n/index.ts";
import { useFrozenSlice } from "./services.ts";

export function useRemarks(): (userName: string, name: string) => string {
  useTranslation();
  const language = currentLanguage();
  const { list } = useFrozenSlice("chat").friends;
  return useMemo(() => {
    const remarks = new Map(list.map(({ userName, remark }) => [userName, remark]));
    return (userName: string, name: string) => {
      if (userName === PLATFORM_SENDER) return PLATFORM_SENDER_NAME[language === "zh" ? 0 : 1];
      return remarks.get(userName) || name;
    };
  }, [list, language]);
}
