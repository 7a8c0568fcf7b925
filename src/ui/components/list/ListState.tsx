import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";

/** Shown in place of the rows. */
export function ListState(props: {
  readonly state: "loading" | "ready" | "failed";
  readonly empty: boolean;
  readonly failed: string;
  readonly onRetry: () => void;
}) {
  const { t } = useTranslation();
  if (props.state === "failed") {
    return (
      <div className="list-page-none" role="alert">
        <p>{props.failed}</p>
        <Button onClick={props.onRetry}>{t("common.retry")}</Button>
      </div>
    );
  }
  if (props.state === "loading") {
    return (
      <div className="list-page-none" role="status">
        {t("common.loading")}
      </div>
    );
  }
  return props.empty ? <div className="list-page-none">{t("common.none")}</div> : null;
}
