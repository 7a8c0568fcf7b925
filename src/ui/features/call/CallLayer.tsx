/** The call above all routes in every tab: incoming ring, outgoing ring, call window, or pill. */
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useCore, useSlice } from "../../state/services.ts";
import { useCallWindow } from "./call-window.tsx";
import { soundingTab } from "./sounding.ts";
import { startRingtone } from "./ringtone.ts";
import { retrying } from "../../state/retrying.ts";

const CallWindow = lazy(() => retrying(() => import("./CallWindow.tsx")));
const CallPill = lazy(() => retrying(() => import("./CallPill.tsx")));
const RingDialog = lazy(() => retrying(() => import("./RingDialog.tsx")));

function useRing(ringing: boolean): void {
  const { tabId } = useCore();
  const { byId } = useSlice("tabs");
  const mine = ringing && (soundingTab(Object.values(byId)) ?? tabId) === tabId;
  useEffect(() => (mine ? startRingtone() : undefined), [mine]);
}

/** Shows a ring in the page's title too. */
function useRingTitle(ringing: boolean, name: string): void {
  const { t } = useTranslation();
  const label = t("call.incoming");
  useEffect(() => {
    if (!ringing) return;
    const before = document.title;
    document.title = `【${label}】${name}`;
    return () => {
      document.title = before;
    };
  }, [ringing, name, label]);
}

export function CallLayer() {
  const { status, peer } = useSlice("call");
  const { modal } = useCallWindow();
  useRing(status === "confirmRing");
  useRingTitle(status === "confirmRing", peer?.name ?? "");
  // load the code of the windows before the first ring needs it
  useEffect(() => {
    const timer = setTimeout(() => {
      const windows = [
        import("./RingDialog.tsx"),
        import("./CallWindow.tsx"),
        import("./CallPill.tsx"),
      ];
      void Promise.allSettled(windows);
    }, 3000);
    return () => clearTimeout(timer);
  }, []);
  if (status === "idle") return null;
  return (
    <Suspense fallback={null}>
      {!modal ? <CallPill /> : status === "chat" ? <CallWindow /> : <RingDialog />}
    </Suspense>
  );
}
