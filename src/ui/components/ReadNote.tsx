/** What stands in the place of what a page reads: that it loads, or that it failed, with a button to try again. */
import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";

export function ReadNote(props: {
  readonly state: "loading" | "ready" | "failed";
  /** What could not be loaded. */
  readonly failed: string;
  readonly onRetry: () => void;
  readonly className: string;
}) {
  const { t } = useTranslation();
  if (props.state === "failed") {
    return (
      <div className={props.className} role="alert">
        <p>{props.failed}</p>
        <Button onClick={props.onRetry}>{t("common.retry")}</Button>
      </div>
    );
  }
  if (props.state === "ready") return null;
  return (
    <div className={props.className} role="status">
      {t("common.loading")}
    </div>
  );
}
