/** Notices of the core as messages of the visible tab, and the question of an expired login (docs/session.md#expired-login). */
import { useEffect } from "react";
import type { Notice } from "../../shared/protocol/state.ts";
import { currentLanguage } from "../i18n/index.ts";
import { showMessage } from "../state/show-message.ts";
import { useCore, useLocked, useSlice } from "../state/services.ts";
import { lazyPart } from "../loading/lazy-part.tsx";
import { Part } from "../components/Part.tsx";

const ExpiredDialog = lazyPart(() => import("./ExpiredDialog.tsx"));

/** What belongs to pages is not shown on the lock screen. */
const OF_PAGES = /^(group|import|company)\./;

async function textOf(notice: Notice): Promise<string> {
  if (currentLanguage() === "zh") return notice.text;
  const texts = await import("../i18n/notices.ts").catch(() => null);
  return texts?.noticeText(notice) ?? notice.text;
}

export function Notices() {
  const core = useCore();
  const locked = useLocked();
  const { expired } = useSlice("session");
  useEffect(() => {
    const show = (notice: Notice): void => {
      if (document.visibilityState !== "visible") return;
      if (locked && OF_PAGES.test(notice.key)) return;
      void textOf(notice).then((text) =>
        showMessage(notice.style, text, notice.duration, notice.topic),
      );
    };
    return core.onNotice(show);
  }, [core, locked]);
  // the core chooses the one tab that shows the dialog
  if (expired === null || expired.tabId !== core.tabId) return null;
  return (
    <Part>
      <ExpiredDialog />
    </Part>
  );
}
