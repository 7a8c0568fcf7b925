import { useTranslation } from "react-i18next";
import { ProgressWhileMounted } from "./Progress.tsx";

/** Shown while the code of a page loads. */
export function PageFallback() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")}>
      <ProgressWhileMounted />
    </div>
  );
}
