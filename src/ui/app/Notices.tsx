/** Notices of the core as messages of the visible tab, and the question of an expired login (docs/session.md#expired-login). */
import { lazy, Suspense, useEffect } from "react";
import type { Notice } from "../../shared/protocol/state.ts";
import { noticeText } from "../i18n/index.ts";
import { retrying } from "../state/retrying.ts";
import { tell } from "../state/tell.ts";
import { useCore, useSlice } from "../state/services.ts";

const ExpiredDialog = lazy(() => retrying(() => import("./ExpiredDialog.tsx")));

export function Notices() {
  const core = useCore();
  const { expired } = useSlice("session");
  useEffect(() => {
    const show = (notice: Notice): void => {
      if (document.visibilityState !== "visible") return;
      tell(notice.style, noticeText(notice), notice.duration);
    };
    return core.onNotice(show);
  }, [core]);
  // the core chooses the one tab that shows the dialog
  if (expired === null || expired.tabId !== core.tabId) return null;
  return (
    <Suspense fallback={null}>
      <ExpiredDialog />
    </Suspense>
  );
}
