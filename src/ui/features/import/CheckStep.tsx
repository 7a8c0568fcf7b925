/** Third step: shows what is wrong and where, and lets the person correct it before anything is sent. */
import { Button, Radio } from "@arco-design/web-react";
import { IconDownload, IconUndo } from "@arco-design/web-react/icon";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TableView } from "../../../shared/protocol/import-worker.ts";
import { ask } from "../../state/ask.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { CheckNotes } from "./CheckNotes.tsx";
import { type CellPlace, CheckGrid } from "./CheckGrid.tsx";
import { FieldsNote } from "./FieldsNote.tsx";
import { LeftOut } from "./LeftOut.tsx";
import { MissingDepartments } from "./MissingDepartments.tsx";
import { fieldOptions } from "./fields.ts";
import { ReplaceDialog } from "./ReplaceDialog.tsx";
import { saveBlob } from "../../state/save.ts";
import type { ImportModel } from "./model-contracts.ts";
import { useImportView } from "./useImportModel.ts";
import { useWindows } from "./useWindows.ts";
import { useTexts } from "../../i18n/texts.ts";
import { IMPORT_TEXTS } from "./texts.ts";
import { Working } from "./Working.tsx";

const RULES_SHOWN = 12;

export function CheckStep({ model }: { readonly model: ImportModel }) {
  const { t } = useTranslation();
  const text = useTexts(IMPORT_TEXTS);
  const state = useImportView(model);
  const { checked, mapping, busy, mode, context } = state;
  const [chosen, setView] = useState<TableView | null>(null);
  const [active, setActive] = useState<CellPlace>({ index: 0, at: 0 });
  const [replacing, setReplacing] = useState<number | null>(null);
  const [reporting, setReporting] = useState(false);
  const view = chosen ?? (checked !== null && checked.bad > 0 ? "bad" : "all");
  const api = state.worker?.api ?? null;
  const windows = useWindows(api, view, state.version);
  const columns = useMemo(() => {
    const labels = new Map(
      fieldOptions(context, (key) => t(`employees.fields.${key}`)).map(({ key, label }) => [
        key,
        label,
      ]),
    );
    return mapping.flatMap((field, column) => {
      const title = field === null ? undefined : labels.get(field);
      return title === undefined ? [] : [{ column, title }];
    });
  }, [mapping, context, t]);
  if (checked === null) return null;

  const titleOf = (column: number): string =>
    columns.find((one) => one.column === column)?.title ?? "";
  const row = windows.row(active.index);
  const issue = row?.issues.find((one) => one.column === columns[active.at]?.column);
  const edit = (at: number, column: number, value: string): void => {
    model.edit(at, column, value).catch(showError);
  };
  const undo = (): void => {
    model.undo().then(() => showMessage("info", t("imports.check.undone")), showError);
  };
  const report = async (): Promise<void> => {
    setReporting(true);
    try {
      const blob = await api?.report(() => undefined);
      const name = state.fileName.replace(/\.\w+$/, "");
      if (blob !== undefined) saveBlob(blob, t("imports.check.reportName", { name }));
    } catch (error) {
      showError(error);
    } finally {
      setReporting(false);
    }
  };
  const send = (): void => {
    const { good, bad } = checked;
    if (bad === 0) return model.send();
    ask({
      title: t("common.hint"),
      content: t("imports.check.sendSkip", { good, bad }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: model.send,
    });
  };
  return (
    <div
      className="import-check"
      onKeyDown={(event) => {
        if (event.key === "z" && (event.ctrlKey || event.metaKey) && checked.undo > 0) {
          if (event.target instanceof HTMLInputElement) return;
          event.preventDefault();
          undo();
        }
      }}
    >
      <div className="import-tally" role="status">
        <strong className="tnum">{t("imports.check.total", { count: checked.rows })}</strong>
        <span className="import-good tnum">{t("imports.check.good", { count: checked.good })}</span>
        {checked.warned > 0 && (
          <span className="import-warn tnum">{text("warned", { count: checked.warned })}</span>
        )}
        {checked.bad > 0 ? (
          <span className="import-bad tnum">{t("imports.check.bad", { count: checked.bad })}</span>
        ) : (
          <span className="import-hint">{t("imports.check.allGood")}</span>
        )}
      </div>
      <FieldsNote model={model} />
      <CheckNotes
        checked={checked}
        onTotal={(decision) => void model.decideTotal(decision).catch(showError)}
        onSpare={(column) => void model.moveSpare(column).catch(showError)}
        nameOf={titleOf}
      />
      <MissingDepartments missing={checked.missing} onCreate={model.createDepartments} />
      <LeftOut state={state} />
      {checked.byRule.length > 0 && (
        <ul className="import-rules" aria-label={t("imports.check.problems")}>
          {checked.byRule.slice(0, RULES_SHOWN).map((one) => (
            <li key={`${one.column}:${one.rule}`}>
              <button
                type="button"
                title={one.message}
                data-warning={one.warning === true}
                onClick={() => setReplacing(one.column)}
                aria-label={`${t("imports.check.replaceIn", { column: titleOf(one.column) })}: ${one.message}`}
              >
                <b>{titleOf(one.column)}</b>
                <span>{one.message}</span>
                <i className="tnum">{t("imports.check.cells", { count: one.cells })}</i>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="import-tools">
        <Radio.Group type="button" size="small" value={view} onChange={setView}>
          <Radio value="bad">{t("imports.check.viewBad")}</Radio>
          <Radio value="warned">{text("viewWarned")}</Radio>
          <Radio value="all">{t("imports.check.viewAll")}</Radio>
        </Radio.Group>
        <span className="import-gap" />
        <Button size="small" icon={<IconUndo />} disabled={checked.undo === 0} onClick={undo}>
          {t("imports.check.undo")}
        </Button>
        <Button
          size="small"
          disabled={columns.length === 0}
          onClick={() => setReplacing(columns[active.at]?.column ?? null)}
        >
          {t("imports.check.replace")}
        </Button>
        <Button
          size="small"
          icon={<IconDownload />}
          loading={reporting}
          disabled={checked.bad === 0}
          onClick={() => void report()}
        >
          {t("imports.check.report")}
        </Button>
      </div>
      <CheckGrid
        windows={windows}
        columns={columns}
        active={active}
        onActive={setActive}
        onEdit={edit}
      />
      <div className="import-issue" aria-live="polite">
        {issue === undefined ? (
          <span className="import-hint">{t("imports.check.editHint")}</span>
        ) : (
          <>
            <span className={issue.warning === true ? "import-warn" : "import-bad"}>
              {titleOf(issue.column)}：{issue.message}
            </span>
            {issue.suggestion !== undefined && row !== undefined && (
              <>
                <span>{t("imports.check.suggestion", { value: issue.suggestion })}</span>
                <Button
                  size="mini"
                  onClick={() => edit(row.row, issue.column, issue.suggestion ?? "")}
                >
                  {t("imports.check.use")}
                </Button>
              </>
            )}
          </>
        )}
      </div>
      <div className="import-actions">
        {busy !== null && busy !== "open" && <Working progress={busy} onStop={model.stop} />}
        <Button onClick={() => model.toStep("map")}>{t("imports.check.back")}</Button>
        <Button
          type="primary"
          disabled={checked.good === 0 || busy !== null}
          onClick={send}
          title={checked.good === 0 ? t("imports.check.nothing") : undefined}
        >
          {t(mode === "dry-run" ? "imports.check.sendDry" : "imports.check.send", {
            count: checked.good,
          })}
        </Button>
      </div>
      {replacing !== null && (
        <ReplaceDialog
          model={model}
          column={replacing}
          title={titleOf(replacing)}
          onClose={() => setReplacing(null)}
        />
      )}
    </div>
  );
}
