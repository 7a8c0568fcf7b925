import { useTranslation } from "react-i18next";
import { PlainButton } from "../components/PlainButton.tsx";
import { useCoreState } from "../state/services.ts";
import { retryNow } from "../state/retry-now.ts";
import { ProgressWhileMounted } from "./Progress.tsx";

/** Shown while the code of a page loads. It says so when that waits for the server. */
export function PageFallback() {
  const { t } = useTranslation();
  const { unreachable } = useCoreState();
  return (
    <div role="status" className="page-waits" aria-label={t("common.loading")}>
      {unreachable && (
        <>
          <strong>{t("link.unreachable")}</strong>
          <p>{t("link.down")}</p>
          <PlainButton look="primary" onClick={retryNow}>
            {t("common.retry")}
          </PlainButton>
        </>
      )}
      <ProgressWhileMounted />
    </div>
  );
}
