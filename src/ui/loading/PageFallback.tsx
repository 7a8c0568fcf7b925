import { useTranslation } from "react-i18next";
import { PlainButton } from "../components/PlainButton.tsx";
import { retryNow } from "../state/retry-now.ts";
import { ProgressWhileMounted } from "./Progress.tsx";
import { useWait } from "./useWait.ts";

/** Shown while the code of a page loads. It says so, and why when that waits for the network or the server. */
export function PageFallback() {
  const { t } = useTranslation();
  const wait = useWait();
  return (
    <div role="status" className="page-waits" aria-label={t("common.loading")}>
      {wait === "loading" && (
        <p className="page-waits-loading">
          <span className="waiting-spinner" aria-hidden="true" />
          {t("common.loading")}
        </p>
      )}
      {wait !== "moment" && wait !== "loading" && (
        <>
          <strong>{t("coreState.unreachable")}</strong>
          <p>{t(`coreState.${wait}`)}</p>
          <PlainButton look="primary" onClick={retryNow}>
            {t("common.retry")}
          </PlainButton>
        </>
      )}
      <ProgressWhileMounted />
    </div>
  );
}
