import { useTranslation } from "react-i18next";
import { ProgressWhileMounted } from "./Progress.tsx";

/** While the code of a page is on its way. */
export function PageFallback() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")}>
      <ProgressWhileMounted />
    </div>
  );
}
