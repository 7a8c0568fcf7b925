/** Shown when the call window itself fails, so that the person can still end the call. */
import { useTranslation } from "react-i18next";
import { PlainButton } from "../../components/PlainButton.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { useCallActions } from "./useCallActions.ts";
import "./call.css";

const TEXTS = texts({
  crashed: [
    "通话窗口无法显示，通话仍在进行",
    "The call window cannot be shown; the call continues",
  ],
  hangup: ["挂断", "Hang up"],
});

export function CallFallback({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const { status } = useSlice("call");
  const actions = useCallActions();
  if (status === "idle") return null;
  return (
    <div className="call-mask">
      <div className="ring" role="alertdialog" aria-modal="true" aria-label={text("crashed")}>
        <p>{text("crashed")}</p>
        <div className="call-rescue">
          <PlainButton onClick={onRetry}>{t("common.retry")}</PlainButton>
          <PlainButton look="primary" danger onClick={actions.hangup}>
            {text("hangup")}
          </PlainButton>
        </div>
      </div>
    </div>
  );
}
