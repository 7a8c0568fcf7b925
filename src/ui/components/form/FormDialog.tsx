/** A form in a dialog, declared by its fields. Input that was not saved is asked about before it is lost. */
import { Button, Input, Modal, Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorText } from "../../i18n/index.ts";
import { texts, useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useFocusBack } from "../useFocusBack.ts";
import {
  changedValues,
  checkValues,
  type FormErrors,
  type FormField,
  type FormValues,
  refusedField,
} from "./fields.ts";
import "./form.css";

const TEXTS = texts({
  save: ["保存", "Save"],
  choose: ["请选择", "Choose"],
  missing: ["请填写{{label}}", "{{label}} is required"],
  taken: ["该值已被使用", "This value is in use already"],
  invalid: ["内容不正确", "This value is not valid"],
  unsaved: ["有未保存的内容，确定要放弃吗？", "There is unsaved input. Discard it?"],
  discard: ["放弃", "Discard"],
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
  /** Takes all values, trimmed, and those that the person changed. The dialog stays open when it rejects. */
  readonly save: (values: FormValues, changed: FormValues) => Promise<unknown>;
  readonly onClose: () => void;
  /** Follows the close after a save. */
  readonly onSaved?: () => void;
  /** The page shows something else instead once it is saved, so the dialog does not close itself. */
  readonly keepOpen?: boolean;
}

/** What takes the focus in a field. */
const CONTROLS = "input:enabled, textarea:enabled, [role=combobox]";

const trimmed = (values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.trim()]));

export function FormDialog(props: FormDialogProps) {
  const { fields, onClose } = props;
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const id = useId();
  const [before] = useState(props.values);
  const [values, setValues] = useState(props.values);
  const [errors, setErrors] = useState<FormErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  const dirty = Object.keys(changedValues(before, values)).length > 0;

  useEffect(() => {
    if (!dirty) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [dirty]);
  const focusOn = (field: string): void =>
    form.current?.querySelector<HTMLElement>(`${field} :is(${CONTROLS})`)?.focus();
  // Once, when the dialog opens.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(CONTROLS)?.focus();
  }, []);

  const close = (): void => {
    if (busy) return;
    if (!dirty) {
      onClose();
      return;
    }
    ask({
      title: t("common.hint"),
      content: text("unsaved"),
      okText: text("discard"),
      cancelText: text("stay"),
      onOk: onClose,
    });
  };
  const show = (wrong: FormErrors): void => {
    setErrors(wrong);
    const first = fields.find(({ key }) => wrong[key] !== undefined);
    if (first !== undefined) focusOn(`[data-field="${first.key}"]`);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setFailure(null);
    const wanted = trimmed(values);
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
    if (props.keepOpen !== true) onClose();
    props.onSaved?.();
  };
  const set = (key: string, value: string): void => {
    setValues((now) => ({ ...now, [key]: value }));
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([other]) => other !== key)));
  };

  return (
    <Modal
      visible
      title={props.title}
      className="form-dialog"
      footer={null}
      autoFocus={false}
      maskClosable={false}
      onCancel={close}
      unmountOnExit
    >
      <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
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
    </Modal>
  );
}

interface FieldProps {
  readonly id: string;
  readonly field: FormField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function Field({ id, field, value, error, onChange }: FieldProps) {
  const { key, label, input, hint, required, disabled = false, max } = field;
  const text = useTexts(TEXTS);
  const described = error !== undefined || hint !== undefined ? `${id}-note` : undefined;
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
    <div className="form-field" data-field={key} data-wide={input === "area"}>
      <label htmlFor={id} data-required={required === true}>
        {label}
      </label>
      {input === "select" ? (
        <Select
          {...aria}
          {...(value === "" ? {} : { value })}
          onChange={(next?: string) => onChange(next ?? "")}
          allowClear={required !== true}
          disabled={disabled}
          placeholder={text("choose")}
          error={error !== undefined}
          options={(field.options ?? []).map((option) => ({ ...option }))}
        />
      ) : input === "area" ? (
        <Input.TextArea {...common} rows={3} />
      ) : (
        <Input {...common} type={input ?? "text"} autoComplete="off" />
      )}
      {described !== undefined && (
        <p id={described} className="form-note" data-wrong={error !== undefined}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
