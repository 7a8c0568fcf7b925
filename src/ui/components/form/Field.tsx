/** One field of a form: its label, its input, and the note below it. */
import { Input, Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { lazy, type ReactElement, type ReactNode, Suspense } from "react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { DateField } from "../DateField.tsx";
import { type FormErrors, optionsOf, valueFor, warningOf } from "./fields.ts";
import { type AnyField, type FormField, isTextField } from "./kinds.ts";
import { OneTabStop } from "./OneTabStop.tsx";
import type { FieldValue, Values } from "./values.ts";

/** Kinds that few forms have are loaded with the first one. */
const OtherInput = lazy(() => retrying(() => import("./OtherInput.tsx")));

const TEXTS = texts({ choose: ["请选择", "Choose"] });

const WIDE: readonly AnyField["input"][] = ["rich", "files", "groups", "range", "trees"];
const isWide = (field: AnyField): boolean =>
  isTextField(field)
    ? field.input === "area" || field.control !== undefined
    : WIDE.includes(field.input) || (field.input === "multi" && field.look === undefined);

/** Names and marks of an input for screen readers. */
export interface InputAria {
  readonly id: string;
  readonly "aria-label": string;
  readonly "aria-required": boolean;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby"?: string;
}

export interface InputProps<K extends AnyField = AnyField> {
  readonly field: K;
  readonly value: FieldValue;
  /** The other values of the form or the group. */
  readonly values: Values;
  readonly aria: InputAria;
  readonly onChange: (value: FieldValue) => void;
  /** Errors of the fields inside, by their paths. */
  readonly errors: FormErrors;
  /** Of the field in the form. */
  readonly path: string;
}

export function Field(props: {
  readonly id: string;
  readonly field: AnyField;
  readonly values: Values;
  readonly errors: FormErrors;
  readonly onChange: (value: FieldValue) => void;
  /** Of the group that has the field; ends with a dot. */
  readonly prefix?: string;
}) {
  const { id, field, values, errors, onChange, prefix = "" } = props;
  const { key, label, hint, required } = field;
  const path = prefix + key;
  const error = errors[path];
  const warning = warningOf(field, values);
  const note = error ?? warning ?? hint;
  const described = note !== undefined ? `${id}-note` : undefined;
  const input: InputProps = {
    field,
    value: valueFor(field, values[key]),
    values,
    aria: {
      id,
      "aria-label": label,
      "aria-required": required === true,
      "aria-invalid": error !== undefined,
      ...(described === undefined ? {} : { "aria-describedby": described }),
    },
    onChange,
    errors,
    path,
  };
  return (
    <div className="form-field" data-field={path} data-wide={isWide(field)}>
      <label htmlFor={id} data-required={required === true}>
        {label}
      </label>
      {isTextField(field) ? (
        <TextInput {...input} field={field} />
      ) : (
        <Suspense fallback={<Input disabled className="form-field-loading" />}>
          <OtherInput {...input} />
        </Suspense>
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

/** Whether an option of a select is called so. */
const byLabel = (word: string, option: ReactElement): boolean =>
  String((option.props as { readonly children?: ReactNode }).children)
    .toLowerCase()
    .includes(word.trim().toLowerCase());

function TextInput({ field, values, aria, onChange, ...rest }: InputProps<FormField>) {
  const { input, label, required, disabled = false, max } = field;
  const text = useTexts(TEXTS);
  const value = String(rest.value);
  const invalid = aria["aria-invalid"];
  if (field.control !== undefined) {
    const describedBy = aria["aria-describedby"];
    const about = { id: aria.id, label, values, invalid, disabled, describedBy };
    return field.control({ ...about, value, onChange });
  }
  if (input === "select") {
    const select = (
      <Select
        {...aria}
        {...(value === "" ? {} : { value })}
        onChange={(next?: string) => onChange(next ?? "")}
        allowClear={required !== true}
        disabled={disabled}
        placeholder={text("choose")}
        {...(field.search === true ? { showSearch: true, filterOption: byLabel } : {})}
        error={invalid}
        options={optionsOf(field, values).map((option) => ({ ...option }))}
      />
    );
    return field.search === true ? <OneTabStop>{select}</OneTabStop> : select;
  }
  if (input === "date") {
    return (
      <DateField
        value={value}
        onChange={onChange}
        input={aria}
        wrong={invalid}
        disabled={disabled}
      />
    );
  }
  const common = {
    ...aria,
    value,
    onChange,
    disabled,
    ...(invalid ? { status: "error" as const } : {}),
    ...(max === undefined ? {} : { maxLength: max }),
  };
  if (input === "area") return <Input.TextArea {...common} rows={3} />;
  return (
    <Input
      {...common}
      type={input ?? "text"}
      autoComplete={input === "password" ? "new-password" : "off"}
    />
  );
}
