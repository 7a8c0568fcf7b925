/** Asks before a person leaves unsaved changes of the fields. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type AskToLeave, useLeaveGuard } from "../../components/LeaveGuard.tsx";
import { useLeaveWarning } from "../../components/useLeaveWarning.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { FIELD_SETTING_TEXTS } from "./texts.ts";

export function useLeaveQuestion(isDirty: boolean): void {
  const { t } = useTranslation();
  const text = useTexts(FIELD_SETTING_TEXTS);
  useLeaveWarning(isDirty);
  const asks = useMemo(
    (): AskToLeave | null =>
      isDirty
        ? (go) =>
            ask({
              title: t("common.hint"),
              content: text("leaveAsk"),
              okText: text("leave"),
              cancelText: text("stay"),
              onOk: go,
            })
        : null,
    [isDirty, t, text],
  );
  useLeaveGuard(asks);
}
