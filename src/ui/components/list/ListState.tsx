import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import type { GuardedCall } from "../../../shared/protocol/rest/call-permissions.generated.ts";
import { useTexts } from "../../i18n/texts.ts";
import { NothingFound } from "../NothingFound.tsx";
import { LIST_TEXTS } from "./texts.ts";

/** Shown in place of the rows. */
export function ListState(props: {
  readonly state: "loading" | "ready" | "failed";
  readonly empty: boolean;
  readonly failed: string;
  readonly onRetry: () => void;
  /** Shows all rows again; null: neither a search nor a filter leaves any out. */
  readonly onClear: (() => void) | null;
  /** Makes the first row; null: the list has no form, or the person may not use it. */
  readonly create: { readonly call: GuardedCall; readonly onClick: () => void } | null;
}) {
  const { create } = props;
  const { t } = useTranslation();
  const text = useTexts(LIST_TEXTS);
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
      {props.onClear !== null ? (
        <NothingFound onClear={props.onClear} />
      ) : (
        <>
          <p>{t("common.none")}</p>
          {create !== null && (
            <Button data-call={create.call} onClick={create.onClick}>
              {text("createFirst")}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
