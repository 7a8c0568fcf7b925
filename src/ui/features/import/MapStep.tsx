/** Second step: which sheet and header row, which column fills which field, and the import mode. */
import { Alert, Button, Radio, Select } from "@arco-design/web-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { Aria } from "../../components/Aria.tsx";
import { missingFields } from "../../../shared/domain/import-fields.ts";
import { importModeSchema } from "../../../shared/protocol/import-model.ts";
import { ask } from "../../state/ask.ts";
import { FieldsNote } from "./FieldsNote.tsx";
import { KeptNote } from "./KeptNote.tsx";
import { LeftOut } from "./LeftOut.tsx";
import { fieldOptions, fillableKeys } from "./fields.ts";
import type { ImportModel } from "./model-contracts.ts";
import { SourceBar } from "./SourceBar.tsx";
import { useImportView } from "./useImportModel.ts";
import { useTexts } from "../../i18n/texts.ts";
import { IMPORT_TEXTS } from "./texts.ts";
import { Working } from "./Working.tsx";

const SAMPLES = 3;
const SHOWN_ROWS = 20;

export function MapStep({ model }: { readonly model: ImportModel }) {
  const { t } = useTranslation();
  const text = useTexts(IMPORT_TEXTS);
  const state = useImportView(model);
  const { opened, preview, loaded, source, busy, mapping } = state;
  const { context } = state;
  const options = useMemo(
    () => fieldOptions(context, (key) => t(`employees.fields.${key}`)),
    [context, t],
  );
  if (opened === null || preview === null) return null;
  const count = state.corrections.length;
  const another = (): void => {
    if (count === 0) {
      model.reset();
      return;
    }
    ask({
      title: t("common.hint"),
      content: text("againAsk", { count }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: model.reset,
    });
  };
  const used = new Map<string, number>();
  for (const field of mapping) if (field !== null) used.set(field, (used.get(field) ?? 0) + 1);
  const lacked = new Set(missingFields(options, used));
  const missing = options.filter(({ key }) => lacked.has(key));
  const twice = options.filter((one) => (used.get(one.key) ?? 0) > 1);
  /** Employees are found by their ID numbers. */
  const mayUpdate = options.some(({ key }) => key === "idNumber");
  const isOff = (mode: string): boolean => mode === "update" && !mayUpdate;
  const ready = loaded !== null && busy === null && loaded.rows > 0 && !isOff(state.mode);
  const headers = loaded?.headers ?? preview.headers;
  const known = fillableKeys(context);
  return (
    <div className="import-map">
      <SourceBar model={model} />
      <FieldsNote model={model} />
      {loaded?.warnings.map((warning) => (
        <Alert key={warning} type="warning" content={warning} />
      ))}
      {loaded?.isFillable === true && (
        <Alert
          type="info"
          content={t(source.fill === true ? "imports.map.filled" : "imports.map.fill")}
          action={
            <Button
              size="small"
              onClick={() => model.setSource({ ...source, fill: source.fill !== true })}
            >
              {t(source.fill === true ? "imports.map.unfill" : "imports.map.fillNow")}
            </Button>
          }
        />
      )}
      <fieldset className="import-mode">
        <legend>{t("imports.map.mode")}</legend>
        <Radio.Group value={state.mode} onChange={model.setMode}>
          {importModeSchema.options.map((mode) => (
            <Radio key={mode} value={mode} disabled={isOff(mode)}>
              <span className="import-mode-name">{t(`imports.map.${mode}`)}</span>
              <span className="import-hint">
                {isOff(mode) ? text("noIdNumber") : t(`imports.map.${mode}Hint`)}
              </span>
            </Radio>
          ))}
        </Radio.Group>
      </fieldset>
      {loaded !== null && loaded.rows === 0 && (
        <Alert type="warning" content={t("imports.map.empty")} />
      )}
      {mapping.length > 0 && (
        <ScrollBox className="table-scroll import-columns">
          <table className="table">
            <thead>
              <tr>
                <th>{t("imports.map.column")}</th>
                <th>{t("imports.map.field")}</th>
                <th className="import-wide">{t("imports.map.sample")}</th>
              </tr>
            </thead>
            <tbody>
              {mapping.map((field, column) => {
                const header = headers[column] ?? "";
                const name = header === "" ? t("imports.map.unnamed", { n: column + 1 }) : header;
                // What the person chose stays, in case that the company uses the field again.
                const gone = field === null || known.has(field) ? null : field;
                return (
                  <tr key={`${column}:${header}`} data-unmatched={field === null || gone !== null}>
                    <th scope="row">{name}</th>
                    <td>
                      <Aria>
                        <Select
                          aria-label={`${t("imports.map.field")}: ${name}`}
                          className="import-field"
                          showSearch
                          allowClear
                          placeholder={t("imports.map.ignore")}
                          value={(field ?? undefined) as string}
                          filterOption={(text, option) =>
                            String((option as { props: { children: unknown } }).props.children)
                              .toLowerCase()
                              .includes(text.toLowerCase())
                          }
                          onChange={(value: string | undefined) =>
                            model.setField(column, value ?? null)
                          }
                        >
                          {options.map((option) => (
                            <Select.Option key={option.key} value={option.key}>
                              {`${option.label}${option.required ? " *" : ""}`}
                            </Select.Option>
                          ))}
                          {gone !== null && (
                            <Select.Option value={gone} disabled>
                              {text("goneField", { name })}
                            </Select.Option>
                          )}
                        </Select>
                      </Aria>
                      <span className="import-by">
                        {t(
                          `imports.map.by.${gone === null ? (state.by[column] ?? "none") : "unused"}`,
                        )}
                      </span>
                    </td>
                    <td className="import-sample">
                      {preview.rows
                        .slice(0, SAMPLES)
                        .map((row) => row[column] ?? "")
                        .filter((text) => text !== "")
                        .join(" · ")}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </ScrollBox>
      )}
      {loaded === null && (
        <ScrollBox
          className="table-scroll import-preview"
          tabIndex={0}
          role="region"
          aria-label={t("imports.map.preview")}
        >
          <table className="table">
            <caption>
              {t("imports.map.preview")} ·{" "}
              {t("imports.map.previewRows", { count: preview.rows.length })}
            </caption>
            <thead>
              <tr>
                {preview.headers.map((header, i) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a column is known by its place
                  <th key={i}>{header}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preview.rows.slice(0, SHOWN_ROWS).map((row, i) => (
                // oxlint-disable-next-line react/no-array-index-key -- the rows of a preview never move
                <tr key={i}>
                  {preview.headers.map((_, column) => (
                    // oxlint-disable-next-line react/no-array-index-key -- a column is known by its place
                    <td key={column}>{row[column] ?? ""}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      {loaded !== null && missing.length > 0 && (
        <Alert
          type="error"
          content={t("imports.map.missing", {
            fields: missing.map((one) => one.label).join("、"),
          })}
        />
      )}
      {twice.map((one) => (
        <Alert
          key={one.key}
          type="error"
          content={t("imports.map.duplicate", { field: one.label })}
        />
      ))}
      {loaded !== null && busy === null && <LeftOut state={state} />}
      <KeptNote model={model} />
      <div className="import-actions">
        {busy !== null && busy !== "open" && <Working progress={busy} onStop={model.stop} />}
        <Button onClick={another}>{t("imports.map.again")}</Button>
        <Button
          type="primary"
          disabled={!ready || missing.length > 0 || twice.length > 0}
          onClick={model.check}
        >
          {t("imports.map.next")}
        </Button>
      </div>
    </div>
  );
}
