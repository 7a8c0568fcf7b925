/** The form of one of the company's own fields of employees. */
import { OWN_FIELD_TYPES } from "../../../shared/protocol/rest/own-fields.ts";
import { formFields, valuesOf } from "../../components/form/fields.ts";
import { RowDialog } from "../../components/list/RowDialog.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import type { OwnField } from "./own-fields.ts";
import { FIELD_SETTING_TEXTS } from "./texts.ts";

const SORT_MAX = 9999;
const typeOf = (value: string) => OWN_FIELD_TYPES.find((type) => type === value) ?? "text";

export function OwnFieldDialog(props: {
  /** Null: a new one. */
  readonly field: OwnField | null;
  /** The fields that there are, so that a new one stands behind them. */
  readonly own: readonly OwnField[];
  readonly dicts: readonly { readonly value: string; readonly label: string }[];
  readonly onClose: () => void;
}) {
  const { field, own, onClose } = props;
  const text = useTexts(FIELD_SETTING_TEXTS);
  const may = useMay();
  const { rest } = useCore().commands;
  const isNew = field === null;
  const fields = formFields([
    { key: "label", label: text("label"), required: true, max: 32, hint: text("labelHint") },
    {
      key: "type",
      label: text("type"),
      input: "select",
      required: true,
      disabled: !isNew,
      hint: text("typeHint"),
      options: OWN_FIELD_TYPES.map((value) => ({ value, label: text(value) })),
    },
    {
      key: "dictType",
      label: text("dictType"),
      input: "select",
      search: true,
      required: true,
      disabled: !isNew,
      options: props.dicts,
      shownWhen: ({ type }) => type === "dict",
    },
    { key: "required", label: text("required"), input: "switch" },
  ]);
  return (
    <RowDialog
      may={may(isNew ? "ownFields.create" : "ownFields.update")}
      title={text(isNew ? "create" : "editTitle")}
      fields={fields}
      values={valuesOf(fields, field ?? { type: "text" })}
      record={field}
      save={(values, changed, version) => {
        const { label, type, dictType = null, required } = values;
        if (field === null) {
          const sort = Math.min(SORT_MAX, Math.max(0, ...own.map((one) => one.sort)));
          const body = { label, type: typeOf(type), dictType, required, sort };
          return rest.call({ call: "ownFields.create", body });
        }
        const { label: renamed, required: needed } = changed;
        const body = {
          id: field.id,
          version,
          ...(renamed === undefined ? {} : { label: renamed }),
          ...(needed === undefined ? {} : { required: needed }),
        };
        return rest.call({ call: "ownFields.update", body });
      }}
      onClose={onClose}
      onSaved={() => showMessage("success", text("saved"))}
    />
  );
}
