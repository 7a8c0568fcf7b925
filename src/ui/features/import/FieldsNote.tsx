/** Says that the company changed the fields of employees while a file is open, what that means for it, and offers the new settings. */
import { Alert, Button } from "@arco-design/web-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useTexts } from "../../i18n/texts.ts";
import { useRead } from "../../state/useRead.ts";
import { fieldChanges } from "./field-changes.ts";
import { fieldOptions } from "./fields.ts";
import type { ImportModel } from "./model-contracts.ts";
import { IMPORT_TEXTS } from "./texts.ts";
import { useImportView } from "./useImportModel.ts";

export function FieldsNote({ model }: { readonly model: ImportModel }) {
  const { t } = useTranslation();
  const text = useTexts(IMPORT_TEXTS);
  const { context, newer, mapping, busy } = useImportView(model);
  const { answer } = useRead({ call: "fieldSettings.get", params: { subject: "employee" } });
  const now = answer.state === "ready" ? JSON.stringify(answer.data.fields) : null;
  const opened = context === null ? null : JSON.stringify(context.fields ?? null);
  useEffect(() => {
    if (now === null || opened === null) return;
    if (now === opened && model.state.newer === null) return;
    // Sending asks again, so a failure here needs no words.
    void model.lookAtFields().catch(() => undefined);
  }, [model, now, opened]);
  if (context === null || newer === null) return null;
  const changes = fieldChanges(context, newer, mapping);
  if (changes === null) return null;
  const namesOf = (from: typeof newer, keys: readonly string[]): string =>
    fieldOptions(from, (key) => t(`employees.fields.${key}`))
      .filter(({ key }) => keys.includes(key))
      .map(({ label }) => label)
      .join("、");
  const { gone, demanded, added } = changes;
  const lines = [
    ...(gone.length > 0 ? [text("fieldsGone", { fields: namesOf(context, gone) })] : []),
    ...(demanded.length > 0 ? [text("fieldsDemanded", { fields: namesOf(newer, demanded) })] : []),
    ...(added.length > 0 ? [text("fieldsAdded", { fields: namesOf(newer, added) })] : []),
  ];
  return (
    <Alert
      type={changes.mustAdopt ? "warning" : "info"}
      data-testid="import-fields"
      title={text(changes.mustAdopt ? "fieldsMust" : "fieldsKept")}
      content={lines.join(text("fieldsEnd"))}
      action={
        <Button size="mini" type="primary" disabled={busy !== null} onClick={model.adoptFields}>
          {text("fieldsAdopt")}
        </Button>
      }
    />
  );
}
