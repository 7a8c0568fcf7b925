import { useTranslation } from "react-i18next";
import { useRingNow } from "./useRingNow.ts";

/** What the title of a page says while a call rings; null: nothing rings. */
export function useRingTitle(): string | null {
  const { t } = useTranslation();
  const ring = useRingNow();
  return ring === null ? null : `【${t("call.incoming")}】${ring.name}`;
}
