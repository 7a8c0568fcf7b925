/** What a dialog says in place of its list: that it loads, or why it could not, with a button to try again. */
import { Button, Spin } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";

export function LoadNote(props: {
  /** There is no list yet. */
  readonly missing: boolean;
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
  if (!missing) return null;
  return (
    <div className="contacts-note" role="status" aria-label={t("common.loading")}>
      <Spin />
    </div>
  );
}
