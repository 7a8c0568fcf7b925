/** One thing done with all chosen rows: a form or a question, the progress, and what became of each row. */
import { Button, Progress } from "@arco-design/web-react";
import "@arco-design/web-react/es/Progress/style/css.js";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../dialog/Dialog.tsx";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FormDialog } from "../form/FormDialog.tsx";
import type { Values } from "../form/values.ts";
import { Aria } from "../Aria.tsx";
import { ScrollBox } from "../ScrollBox.tsx";
import { useFocusBack } from "../useFocusBack.ts";
import { ChosenNames, withoutElsewhere } from "./ChosenNames.tsx";
import type { BulkAction } from "./columns.ts";
import { eachRow, type RowResult } from "./eachRow.ts";
import { idOf } from "../../state/row-id.ts";
import { BULK_TEXTS } from "./dialog-texts.ts";
import "../table.css";
import "./bulk-dialog.css";

/** Refusals that are written out; more are counted. */
const WRITTEN = 200;

export function BulkDialog<T>(props: {
  readonly action: BulkAction<T>;
  /** All rows that are chosen. */
  readonly rows: readonly T[];
  /** Those of them that the filter may hide. */
  readonly elsewhere: readonly T[];
  readonly nameOf: (row: T) => string;
  /** Follows the end, with the rows that were done. */
  readonly onDone: (done: readonly T[]) => void;
  readonly onClose: () => void;
}) {
  const { action, nameOf, onClose } = props;
  // the list may change while the dialog is open
  const [chosen] = useState(props.rows);
  const [elsewhere] = useState(props.elsewhere);
  const fits = (row: T): boolean => action.when?.(row) !== false;
  const all = chosen.filter(fits);
  const hidden = elsewhere.filter(fits);
  const [rows, setRows] = useState(() => withoutElsewhere(all, hidden));
  const text = useTexts(BULK_TEXTS);
  const [values, setValues] = useState<Values | null>(null);
  if (values !== null) {
    return (
      <Running
        action={action}
        rows={rows}
        values={values}
        nameOf={nameOf}
        onDone={props.onDone}
        onClose={onClose}
      />
    );
  }
  const left = chosen.length - all.length;
  return (
    <FormDialog
      title={action.label}
      intro={
        <>
          <ChosenNames
            question={action.question}
            rows={all}
            elsewhere={hidden}
            nameOf={nameOf}
            onRows={setRows}
          />
          {left > 0 && <p className="bulk-left">{text("left", { count: left })}</p>}
        </>
      }
      okText={action.label}
      fields={rows.length === 0 ? [] : (action.fields ?? [])}
      values={action.values ?? {}}
      save={(given) => Promise.resolve(rows.length === 0 ? onClose() : setValues(given))}
      keepOpen
      onClose={onClose}
    />
  );
}

function Running<T>(props: {
  readonly action: BulkAction<T>;
  readonly rows: readonly T[];
  readonly values: Values;
  readonly nameOf: (row: T) => string;
  readonly onDone: (done: readonly T[]) => void;
  readonly onClose: () => void;
}) {
  const { action, rows, values, nameOf, onClose } = props;
  const { t } = useTranslation();
  const text = useTexts(BULK_TEXTS);
  const [done, setDone] = useState(0);
  const [results, setResults] = useState<readonly RowResult<T>[] | null>(null);
  const stopped = useRef(false);
  const begun = useRef(false);
  const end = useRef<HTMLDivElement>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  const latest = useRef(props.onDone);
  useEffect(() => {
    latest.current = props.onDone;
  });
  useEffect(() => {
    // a hidden page undoes its effects, and must not begin a second time when it is shown again
    if (begun.current) return;
    begun.current = true;
    void eachRow(
      rows,
      (row) => action.run(row, values),
      setDone,
      () => stopped.current,
    ).then((all) => {
      setResults(all);
      latest.current(all.filter(({ error }) => error === null).map(({ row }) => row));
    });
  }, [action, rows, values]);
  useEffect(() => {
    if (results !== null) end.current?.querySelector("button")?.focus();
  }, [results]);
  const failed = (results ?? []).filter(({ error }) => error !== null);
  const finish = (): void => {
    if (results === null) stopped.current = true;
    else onClose();
  };
  return (
    <Dialog
      visible
      className="form-dialog"
      title={action.label}
      maskClosable={false}
      onCancel={finish}
      unmountOnExit
      footer={
        <div ref={end}>
          {results === null ? (
            <Button onClick={finish}>{text("stop")}</Button>
          ) : (
            <Button type="primary" onClick={finish}>
              {t("common.ok")}
            </Button>
          )}
        </div>
      }
    >
      <div className="bulk">
        {results === null ? (
          <>
            <Aria progress={action.label}>
              <Progress percent={Math.round((100 * done) / rows.length)} />
            </Aria>
            <p role="status" className="tnum">
              {text("progress", { done, total: rows.length })}
            </p>
          </>
        ) : (
          <p role="status">
            {failed.length === 0
              ? text("done", { count: results.length })
              : text("some", { done: results.length - failed.length, failed: failed.length })}
            {results.length < rows.length &&
              text("stopped", { count: rows.length - results.length })}
          </p>
        )}
        {failed.length > 0 && (
          <ScrollBox className="table-scroll bulk-failed">
            <table className="table">
              <thead>
                <tr>
                  <th>{text("name")}</th>
                  <th>{text("reason")}</th>
                </tr>
              </thead>
              <tbody>
                {failed.slice(0, WRITTEN).map(({ row, error }) => (
                  <tr key={idOf(row)}>
                    <th scope="row">{nameOf(row)}</th>
                    <td>{errorText(error)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
        {failed.length > WRITTEN && (
          <p className="bulk-left">{text("moreFailed", { count: failed.length - WRITTEN })}</p>
        )}
      </div>
    </Dialog>
  );
}
