/** What a ring does in this tab beside its dialog: the ringtone and the vibration, and a notification of the system. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { foremostTab } from "../../state/foremost-tab.ts";
import { useAppearance, useCore, usePageVisible, useSlice } from "../../state/services.ts";
import { mayNotify, notifyRing } from "../../state/system-notices.ts";
import { GROUP_CALL_TEXTS } from "../group-call/texts.ts";
import { useRingNow } from "./useRingNow.ts";
import { startRingtone } from "./ringtone.ts";

/** One tab rings; while the person sees no tab, one shows the notification (docs/calls.md#ringing). */
export function useRing(): void {
  const { t } = useTranslation();
  const groupText = useTexts(GROUP_CALL_TEXTS);
  const { tabId } = useCore();
  const { byId } = useSlice("tabs");
  const ring = useRingNow();
  const [{ callNotices }] = useAppearance();
  const visible = usePageVisible();

  const loud = ring !== null && (foremostTab(Object.values(byId)) ?? tabId) === tabId;
  useEffect(() => (loud ? startRingtone() : undefined), [loud]);

  const wanted = ring !== null && ring.ringTab === tabId && callNotices && !visible;
  const { callId = "", from = "", name = "", media, kind } = ring ?? {};
  const ofTwo = t(media === "video" ? "call.incomingVideo" : "call.incomingVoice");
  const body = kind === "group" ? groupText("ringsHere") : ofTwo;
  const [yes, no] = [t("call.answer"), t("call.refuse")];
  const language = currentLanguage();
  useEffect(() => {
    if (!wanted || !mayNotify()) return undefined;
    return notifyRing({ callId, from, title: name, body, language, labels: [yes, no] });
  }, [wanted, callId, from, name, body, language, yes, no]);
}
