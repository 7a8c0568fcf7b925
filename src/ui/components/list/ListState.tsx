import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { NothingFound } from "../NothingFound.tsx";

/** Shown in place of the rows. */
export function ListState(props: {
  readonly state: "loading" | "ready" | "failed";
  readonly empty: boolean;
  readonly failed: string;
  readonly onRetry: () => void;
  /** Shows all rows again; null: neither a search nor a filter leaves any out. */
  readonly onClear: (() => void) | null;
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
  if (!props.empty) return null;
  return (
    <div className="list-page-none">
      {props.onClear === null ? t("common.none") : <NothingFound onClear={props.onClear} />}
    </div>
  );
}
