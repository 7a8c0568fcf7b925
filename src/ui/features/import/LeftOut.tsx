/** Warns of every column with content that fills no field, with the number of its values. */
import { Alert } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { useTexts } from "../../i18n/texts.ts";
import { fillableKeys } from "./fields.ts";
import { IMPORT_TEXTS } from "./texts.ts";
import type { ImportView } from "./useImportModel.ts";

export function LeftOut({ state }: { readonly state: ImportView }) {
  const { t } = useTranslation();
  const text = useTexts(IMPORT_TEXTS);
  const { mapping, filled, loaded } = state;
  const known = fillableKeys(state.context);
  const left = mapping.flatMap((field, column) => {
    const count = filled[column] ?? 0;
    if ((field !== null && known.has(field)) || count === 0) return [];
    const header = loaded?.headers[column] ?? "";
    const name = header === "" ? t("imports.map.unnamed", { n: column + 1 }) : header;
    return [text("leftOutOne", { name, count })];
  });
  if (left.length === 0) return null;
  const columns = left.join(t("imports.check.comma"));
  return (
    <Alert type="warning" data-testid="import-left-out" content={text("leftOut", { columns })} />
  );
}
