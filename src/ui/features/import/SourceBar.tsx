/** How the file is read: sheet, encoding, delimiter, escape and header rows. */
import { InputNumber, Select } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import {
  encodingSchema,
  escapeSchema,
  type Opened,
  type Source,
} from "../../../shared/protocol/import-worker.ts";
import type { ImportModel } from "./model-contracts.ts";
import { useImportView } from "./useImportModel.ts";

const DELIMITERS = [",", ";", "\t", "|"] as const;
/** Most header rows that can be named. */
const MOST_ROWS = 10;

interface Props {
  readonly model: ImportModel;
}

/** No label elements around lists: they would pass a click on a second time, which closes the list. */
export function SourceBar({ model }: Props) {
  const { t } = useTranslation();
  const { opened, preview, loaded, source } = useImportView(model);
  if (opened === null || preview === null) return null;
  const headerRow = source.headerRow ?? preview.headerRow;
  return (
    <div className="import-source">
      {opened.sheets.length > 1 && (
        <div className="import-choice">
          <span aria-hidden="true">{t("imports.map.sheet")}</span>
          <Select
            aria-label={t("imports.map.sheet")}
            value={source.sheet ?? 0}
            className="import-select"
            onChange={(sheet: number) => model.setSource({ sheet })}
          >
            {opened.sheets.map((sheet) => (
              <Select.Option key={sheet.index} value={sheet.index}>
                {sheet.name}
                {sheet.hidden ? t("imports.map.hidden") : ""}
              </Select.Option>
            ))}
          </Select>
        </div>
      )}
      {opened.kind === "csv" && <TextChoices model={model} />}
      <label>
        {t("imports.map.headerRow")}
        <InputNumber
          aria-label={t("imports.map.headerRow")}
          className="import-number"
          min={1}
          max={100}
          precision={0}
          value={headerRow}
          onChange={(row) => {
            if (Number.isInteger(row)) {
              model.setSource({ ...source, headerRow: row, headerEnd: null });
            }
          }}
        />
      </label>
      <label>
        {t("imports.map.headerEnd")}
        <InputNumber
          aria-label={t("imports.map.headerEnd")}
          className="import-number"
          min={headerRow}
          max={headerRow + MOST_ROWS}
          precision={0}
          value={source.headerEnd ?? preview.headerEnd}
          onChange={(headerEnd) => {
            if (Number.isInteger(headerEnd)) model.setSource({ ...source, headerRow, headerEnd });
          }}
        />
      </label>
      {loaded !== null && (
        <span className="import-count tnum">
          {t("imports.check.total", { count: loaded.rows })}
        </span>
      )}
    </div>
  );
}

function TextChoices({ model }: Props) {
  const { t } = useTranslation();
  const { opened, source } = useImportView(model);
  return (
    <>
      <div className="import-choice">
        <span aria-hidden="true">{t("imports.map.encoding")}</span>
        <Select
          aria-label={t("imports.map.encoding")}
          className="import-select"
          error={opened?.isGuess === true && source.encoding === undefined}
          // A guess is not preselected: the person has to choose, and may choose the same.
          value={
            source.encoding ?? ((opened?.isGuess === true ? undefined : opened?.encoding) as never)
          }
          placeholder={t("imports.map.chooseEncoding")}
          onChange={(encoding: NonNullable<Opened["encoding"]>) =>
            model.setSource({ ...source, encoding })
          }
        >
          {encodingSchema.options.map((one) => (
            <Select.Option key={one} value={one}>
              {t(`imports.map.encodings.${one}`)}
            </Select.Option>
          ))}
        </Select>
      </div>
      <div className="import-choice">
        <span aria-hidden="true">{t("imports.map.delimiter")}</span>
        <Select
          aria-label={t("imports.map.delimiter")}
          className="import-select-s"
          value={source.delimiter ?? opened?.delimiter ?? ","}
          onChange={(delimiter: string) => model.setSource({ ...source, delimiter })}
        >
          {DELIMITERS.map((one) => (
            <Select.Option key={one} value={one}>
              {one === "\t" ? t("imports.map.tab") : one}
            </Select.Option>
          ))}
        </Select>
      </div>
      <div className="import-choice">
        <span aria-hidden="true">{t("imports.map.escape")}</span>
        <Select
          aria-label={t("imports.map.escape")}
          className="import-select"
          value={source.escape ?? opened?.escape ?? "quote"}
          onChange={(escape: NonNullable<Source["escape"]>) =>
            model.setSource({ ...source, escape })
          }
        >
          {escapeSchema.options.map((one) => (
            <Select.Option key={one} value={one}>
              {t(`imports.map.escapes.${one}`)}
            </Select.Option>
          ))}
        </Select>
      </div>
    </>
  );
}
