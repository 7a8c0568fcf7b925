/** Deletes rows of a list after a question that names them. */
import { useTranslation } from "react-i18next";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { ChosenNames, withoutElsewhere } from "./ChosenNames.tsx";
import { inParts } from "./inParts.ts";
import { LIST_TEXTS } from "./texts.ts";

/** @returns asks about these rows, and deletes those that the person leaves in the question */
export function useRemoval<T>(list: {
  /** Left out: nothing is deleted here. */
  readonly run: ((rows: readonly T[]) => Promise<unknown>) | undefined;
  readonly nameOf: (row: T) => string;
  /** Chosen rows that the filter may hide (useChoice). */
  readonly elsewhere: readonly T[];
  readonly onRemoved: (rows: readonly T[]) => void;
}): (rows: readonly T[]) => void {
  const { run, nameOf, elsewhere, onRemoved } = list;
  const { t } = useTranslation();
  const text = useTexts(LIST_TEXTS);
  return (rows) => {
    const [first] = rows;
    if (first === undefined || run === undefined) return;
    const all = new Set(rows);
    const hidden = elsewhere.filter((row) => all.has(row));
    let wanted = withoutElsewhere(rows, hidden);
    ask({
      title: text("removeTitle"),
      content:
        rows.length === 1 && hidden.length === 0 ? (
          text("removeOne", { name: nameOf(first) })
        ) : (
          <ChosenNames
            question={(count) => text("removeMany", { count })}
            rows={rows}
            elsewhere={hidden}
            nameOf={nameOf}
            onRows={(left) => {
              wanted = left;
            }}
          />
        ),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () => {
        if (wanted.length === 0) return;
        return inParts(wanted, run).then(() => {
          onRemoved(wanted);
          showMessage("success", text("removed"));
        }, showError);
      },
    });
  };
}
