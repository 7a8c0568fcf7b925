/** Says that corrections of this file were kept and are made again by the check. The person may drop them. */
import { Alert, Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { currentLanguage } from "../../i18n/index.ts";
import { ask } from "../../state/ask.ts";
import type { ImportModel } from "./model-contracts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { IMPORT_TEXTS } from "./texts.ts";
import { useImportView } from "./useImportModel.ts";

export function KeptNote({ model }: { readonly model: ImportModel }) {
  const { t } = useTranslation();
  const text = useTexts(IMPORT_TEXTS);
  const { corrections, keptAt } = useImportView(model);
  const count = corrections.length;
  if (count === 0) return null;
  const time = keptAt === null ? "" : new Date(keptAt).toLocaleString(currentLanguage());
  const drop = (): void =>
    ask({
      title: t("common.hint"),
      content: text("dropAsk", { count }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: model.dropCorrections,
    });
  return (
    <Alert
      type="info"
      data-testid="import-kept"
      content={keptAt === null ? text("keptHere", { count }) : text("kept", { count, time })}
      action={
        <Button size="mini" onClick={drop}>
          {text("drop")}
        </Button>
      }
    />
  );
}
