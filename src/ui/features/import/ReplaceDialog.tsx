/** Replaces a value in every cell of a column at once. */
import { Button, Input } from "@arco-design/web-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import type { ColumnValues } from "../../../shared/protocol/import-worker.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import type { ImportModel } from "./model-contracts.ts";
import { useImportView } from "./useImportModel.ts";

const SHOWN = 200;

export function ReplaceDialog(props: {
  readonly model: ImportModel;
  readonly column: number;
  readonly title: string;
  readonly onClose: () => void;
}) {
  const { model, column } = props;
  const { t } = useTranslation();
  const [values, setValues] = useState<ColumnValues | null>(null);
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const { version, worker } = useImportView(model);
  useEffect(() => {
    let live = true;
    worker?.api.values(column, SHOWN).then((found) => live && setValues(found), showError);
    return () => {
      live = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the version is what it answers
  }, [worker, column, version]);
  // a button of the list of problems goes away once its problem is solved
  useFocusBack(() => document.querySelector<HTMLElement>(".import-grid"));
  const box = useRef<HTMLDivElement>(null);
  // A layout effect runs in the task that removes the row. A later effect would lose an Escape pressed in between.
  useLayoutEffect(() => {
    // The focused control disappears with its row and leaves the focus outside the dialog, where Escape does not close it.
    const active = document.activeElement;
    if (active === null || active === document.body || active.matches(":disabled")) {
      box.current?.focus({ preventScroll: true });
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- rows come, go and lose their buttons with these
  }, [values, drafts]);
  const apply = (from: string, to: string): void => {
    model
      .replace(column, from, to)
      .then((count) => showMessage("success", t("imports.check.replaced", { count })), showError);
  };
  return (
    <Dialog
      visible
      title={t("imports.check.replaceIn", { column: props.title })}
      footer={null}
      onCancel={props.onClose}
      className="import-replace"
      unmountOnExit
    >
      <div ref={box} tabIndex={-1} className="import-replace-box">
        <p className="import-hint">{t("imports.check.replaceHint")}</p>
        <ScrollBox className="table-scroll table-tall">
          <table className="table">
            <thead>
              <tr>
                <th>{t("imports.check.value")}</th>
                <th className="num">{t("imports.check.rows")}</th>
                <th>{t("imports.check.to")}</th>
                <th aria-label={t("imports.check.apply")} />
              </tr>
            </thead>
            <tbody>
              {(values ?? []).map(({ value, rows, message, warning, suggestion }) => {
                const to = drafts[value] ?? suggestion ?? value;
                const shown = value === "" ? t("imports.check.empty") : value;
                return (
                  <tr key={value}>
                    <th scope="row" title={message ?? ""} data-wrong={message !== null && !warning}>
                      {shown}
                      {message !== null && <span className="import-hint">{message}</span>}
                    </th>
                    <td className="num">{rows.toLocaleString()}</td>
                    <td>
                      <Input
                        size="small"
                        aria-label={`${t("imports.check.to")}: ${shown}`}
                        value={to}
                        onChange={(next) => setDrafts({ ...drafts, [value]: next })}
                        onPressEnter={() => apply(value, to)}
                      />
                    </td>
                    <td>
                      <Button size="small" disabled={to === value} onClick={() => apply(value, to)}>
                        {t("imports.check.apply")}
                      </Button>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </ScrollBox>
      </div>
    </Dialog>
  );
}
