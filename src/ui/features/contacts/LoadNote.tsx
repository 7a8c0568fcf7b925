/** What stands in place of a list: that it loads, or that it could not be loaded, with a button to try again. */
import { Button, Spin } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";

export function LoadNote(props: {
  /** There is no list yet. Left out: something else says that it loads. */
  readonly missing?: boolean;
  /** Why it could not be loaded; null while nothing has failed. */
  readonly failure: string | null;
  readonly onRetry: () => void;
}) {
  const { missing, failure } = props;
  const { t } = useTranslation();
  if (failure !== null) {
    return (
      <div className="contacts-note" role="alert">
        {failure}
        <Button size="small" onClick={props.onRetry}>
          {t("common.retry")}
        </Button>
      </div>
    );
  }
  if (missing !== true) return null;
  return (
    <div className="contacts-note" role="status" aria-label={t("common.loading")}>
      <Spin />
    </div>
  );
}
