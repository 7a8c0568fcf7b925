/** A form in a dialog, declared by its fields. Input that was not saved is asked about before it is lost. */
import { Button, Input, Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { DateField } from "../DateField.tsx";
import { Dialog } from "../dialog/Dialog.tsx";
import { errorText } from "../../i18n/index.ts";
import { texts, useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useFocusBack } from "../useFocusBack.ts";
import { useLeaveWarning } from "../useLeaveWarning.ts";
import {
  changedValues,
  checkValues,
  type FormErrors,
  type FormField,
  type FormValues,
  refusedField,
  warningOf,
} from "./fields.ts";
import { useOnce } from "./useOnce.ts";
import { useFormDraft } from "./useFormDraft.ts";
import "./form.css";

const TEXTS = texts({
  save: ["保存", "Save"],
  choose: ["请选择", "Choose"],
  missing: ["请填写{{label}}", "{{label}} is required"],
  taken: ["该值已被使用", "This value is in use already"],
  invalid: ["内容不正确", "This value is not valid"],
  unsaved: ["有未保存的内容，确定要放弃吗？", "There is unsaved input. Discard it?"],
  discard: ["放弃", "Discard"],
  restored: ["已恢复上次未保存的内容", "Your unsaved input is here again"],
  clear: ["清除", "Clear"],
  stay: ["继续填写", "Keep editing"],
});

export interface FormDialogProps {
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  /** Text of the button that saves. */
  readonly okText?: string;
  /** Shown above the fields. */
  readonly intro?: ReactNode;
  /** For a form with much to read. */
  readonly wide?: boolean;
  /** Takes all values, trimmed, and those that the person changed. The dialog stays open when it rejects. */
  readonly save: (values: FormValues, changed: FormValues) => Promise<unknown>;
  readonly onClose: () => void;
  /** Follows the close after a save. */
  readonly onSaved?: () => void;
  /** The page shows something else instead once it is saved, so the dialog does not close itself. */
  readonly keepOpen?: boolean;
}

/** What takes the focus in a field. */
const CONTROLS =
  "input:enabled:not([type=file]), textarea:enabled, [role=combobox], [role=textbox]";

const trimmed = (values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.trim()]));
/** A password is taken as it was typed. */
const wantedOf = (fields: readonly FormField[], values: FormValues): FormValues => ({
  ...trimmed(values),
  ...Object.fromEntries(
    fields.flatMap(({ key, input }) => (input === "password" ? [[key, values[key] ?? ""]] : [])),
  ),
});

export function FormDialog(props: FormDialogProps) {
  const { fields, onClose } = props;
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const id = useId();
  const [before] = useState(props.values);
  const draft = useFormDraft(props.title, before, fields);
  const { values, setValues, dirty } = draft;
  const [errors, setErrors] = useState<FormErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));

  useLeaveWarning(dirty, draft.kept);
  const focusOn = (field: string): void =>
    form.current?.querySelector<HTMLElement>(`${field} :is(${CONTROLS})`)?.focus();
  // Once, when the dialog opens.
  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>(CONTROLS);
    (first ?? form.current?.querySelector<HTMLElement>("[type=submit]"))?.focus();
  }, []);

  const close = (): void => {
    if (busy) return;
    const discard = (): void => {
      draft.forget();
      onClose();
    };
    if (!dirty) {
      discard();
      return;
    }
    ask({
      title: t("common.hint"),
      content: text("unsaved"),
      okText: text("discard"),
      cancelText: text("stay"),
      onOk: discard,
    });
  };
  const show = (wrong: FormErrors): void => {
    setErrors(wrong);
    const first = fields.find(({ key }) => wrong[key] !== undefined);
    if (first !== undefined) focusOn(`[data-field="${first.key}"]`);
  };
  const submit = useOnce(async (): Promise<void> => {
    if (busy) return;
    setFailure(null);
    const wanted = wantedOf(fields, values);
    const wrong = checkValues(fields, wanted, (label) => text("missing", { label }));
    show(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      await props.save(wanted, changedValues(trimmed(before), wanted));
    } catch (error) {
      const refusal = refusedField(error, fields);
      setBusy(false);
      if (refusal === null) setFailure(errorText(error));
      else show({ [refusal.key]: text(refusal.reason) });
      return;
    }
    draft.forget();
    if (props.keepOpen !== true) onClose();
    props.onSaved?.();
  });
  const set = (key: string, value: string): void => {
    setValues((now) => ({ ...now, [key]: value }));
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([other]) => other !== key)));
  };

  return (
    <Dialog
      visible
      title={props.title}
      className={props.wide === true ? "form-dialog form-dialog-wide" : "form-dialog"}
      footer={null}
      autoFocus={false}
      maskClosable={false}
      onCancel={close}
      unmountOnExit
    >
      <form
        ref={form}
        noValidate
        {...(draft.kept ? { "data-kept": "" } : {})}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {draft.restored && (
          <p className="form-restored" role="status">
            {text("restored")}
            <Button size="mini" type="text" onClick={draft.reset}>
              {text("clear")}
            </Button>
          </p>
        )}
        {props.intro}
        {failure !== null && (
          <p className="form-failure" role="alert">
            {failure}
          </p>
        )}
        <div className="form-fields">
          {fields.map((field) => (
            <Field
              key={field.key}
              id={`${id}${field.key}`}
              field={field}
              value={values[field.key] ?? ""}
              error={errors[field.key]}
              warning={warningOf(field, values)}
              onChange={(value) => set(field.key, value)}
            />
          ))}
        </div>
        <footer className="form-buttons">
          <Button onClick={close} disabled={busy}>
            {t("common.cancel")}
          </Button>
          <Button type="primary" htmlType="submit" loading={busy}>
            {props.okText ?? text("save")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Whether an option of a select is called so. */
const byLabel = (word: string, option: ReactElement): boolean =>
  String((option.props as { readonly children?: ReactNode }).children)
    .toLowerCase()
    .includes(word.trim().toLowerCase());

interface FieldProps {
  readonly id: string;
  readonly field: FormField;
  readonly value: string;
  readonly error: string | undefined;
  readonly warning: string | null;
  readonly onChange: (value: string) => void;
}

function Field({ id, field, value, error, warning, onChange }: FieldProps) {
  const { key, label, input, hint, required, disabled = false, max } = field;
  const text = useTexts(TEXTS);
  const note = error ?? warning ?? hint;
  const described = note !== undefined ? `${id}-note` : undefined;
  const aria = {
    id,
    "aria-label": label,
    "aria-required": required === true,
    "aria-invalid": error !== undefined,
    ...(described === undefined ? {} : { "aria-describedby": described }),
  };
  const common = {
    ...aria,
    value,
    onChange,
    disabled,
    ...(error === undefined ? {} : { status: "error" as const }),
    ...(max === undefined ? {} : { maxLength: max }),
  };
  return (
    <div
      className="form-field"
      data-field={key}
      data-wide={input === "area" || field.control !== undefined}
    >
      <label htmlFor={id} data-required={required === true}>
        {label}
      </label>
      {field.control !== undefined ? (
        field.control({
          id,
          label,
          value,
          onChange,
          invalid: error !== undefined,
          describedBy: described,
        })
      ) : input === "select" ? (
        <Select
          {...aria}
          {...(value === "" ? {} : { value })}
          onChange={(next?: string) => onChange(next ?? "")}
          allowClear={required !== true}
          disabled={disabled}
          placeholder={text("choose")}
          {...(field.search === true ? { showSearch: true, filterOption: byLabel } : {})}
          error={error !== undefined}
          options={(field.options ?? []).map((option) => ({ ...option }))}
        />
      ) : input === "date" ? (
        <DateField
          value={value}
          onChange={onChange}
          input={aria}
          wrong={error !== undefined}
          disabled={disabled}
        />
      ) : input === "area" ? (
        <Input.TextArea {...common} rows={3} />
      ) : (
        <Input
          {...common}
          type={input ?? "text"}
          autoComplete={input === "password" ? "new-password" : "off"}
        />
      )}
      {described !== undefined && (
        <p
          id={described}
          className="form-note"
          data-wrong={error !== undefined}
          data-warning={error === undefined && warning !== null}
        >
          {note}
        </p>
      )}
    </div>
  );
}
