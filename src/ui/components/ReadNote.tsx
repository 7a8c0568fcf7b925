/** What stands in the place of what a page reads: that it loads, or that it failed and why, with a button to try again. */
import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { AppError, type WireError } from "../../shared/errors.ts";
import { errorText } from "../i18n/index.ts";
import { useOutage } from "../state/services.ts";

export function ReadNote(props: {
  /** `error`: why it failed. */
  readonly answer: {
    readonly state: "loading" | "ready" | "failed";
    readonly error: WireError | null;
  };
  /** What could not be loaded. */
  readonly failed: string;
  readonly onRetry: () => void;
  readonly className: string;
}) {
  const { t } = useTranslation();
  const outage = useOutage();
  const { error } = props.answer;
  // during an outage the bar at the top already explains why nothing loads
  const state = props.answer.state === "failed" && outage !== null ? "loading" : props.answer.state;
  if (state === "failed") {
    return (
      <div className={props.className} role="alert">
        <strong>{props.failed}</strong>
        {error !== null && <p>{errorText(AppError.fromWire(error))}</p>}
        <Button onClick={props.onRetry}>{t("common.retry")}</Button>
      </div>
    );
  }
  if (state === "ready") return null;
  return (
    <div className={props.className} role="status">
      {/* as the code of the page before it, so that the words do not change their look */}
      <p className="page-waits-loading">
        <span className="waiting-spinner" aria-hidden="true" />
        {t("common.loading")}
      </p>
    </div>
  );
}
