import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import type { WireError } from "../../../shared/errors.ts";
import type { GuardedCall } from "../../../shared/protocol/rest/call-permissions.generated.ts";
import { useTexts } from "../../i18n/texts.ts";
import { NothingFound } from "../NothingFound.tsx";
import { ReadNote } from "../ReadNote.tsx";
import { LIST_TEXTS } from "./texts.ts";

/** Shown in place of the rows. */
export function ListState(props: {
  readonly answer: {
    readonly state: "loading" | "ready" | "failed";
    readonly error: WireError | null;
  };
  readonly empty: boolean;
  readonly failed: string;
  /** What leads on from an empty list. */
  readonly none: string;
  readonly onRetry: () => void;
  /** Shows all rows again; null: neither a search nor a filter leaves any out. */
  readonly onClear: (() => void) | null;
  /** Makes the first row; null: the list has no form, or the person may not use it. */
  readonly create: { readonly call: GuardedCall; readonly onClick: () => void } | null;
}) {
  const { create } = props;
  const { t } = useTranslation();
  const text = useTexts(LIST_TEXTS);
  if (props.answer.state !== "ready") {
    return (
      <ReadNote
        className="list-page-none"
        answer={props.answer}
        failed={props.failed}
        onRetry={props.onRetry}
      />
    );
  }
  if (!props.empty) return null;
  return (
    <div className="list-page-none">
      {props.onClear !== null ? (
        <NothingFound onClear={props.onClear} />
      ) : (
        <>
          <strong>{t("common.none")}</strong>
          <p>{props.none}</p>
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
