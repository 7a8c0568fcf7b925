/** Shown when the call window itself fails, so that the person can still end the call. */
import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { useSlice } from "../../state/services.ts";
import { useCallActions } from "./useCallActions.ts";
import "./call.css";

export function CallFallback({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation();
  const { status } = useSlice("call");
  const actions = useCallActions();
  if (status === "idle") return null;
  return (
    <div className="call-mask">
      <div className="ring" role="alertdialog" aria-modal="true" aria-label={t("call.crashed")}>
        <p>{t("call.crashed")}</p>
        <div className="call-rescue">
          <Button onClick={onRetry}>{t("common.retry")}</Button>
          <Button type="primary" status="danger" onClick={actions.hangup}>
            {t("call.hangup")}
          </Button>
        </div>
      </div>
    </div>
  );
}
