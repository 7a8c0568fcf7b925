/** The inputs of the kinds of fields that few forms have. Use them by Field.tsx, which loads them with the first one. */
import { Checkbox, Input, Select, Switch } from "@arco-design/web-react";
import "@arco-design/web-react/es/Checkbox/style/css.js";
import "@arco-design/web-react/es/Select/style/css.js";
import "@arco-design/web-react/es/Switch/style/css.js";
import { lazy, type ReactElement, Suspense } from "react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { DateField } from "../DateField.tsx";
import type { InputProps } from "./Field.tsx";
import { optionsOf } from "./fields.ts";
import type {
  AnyField,
  FileField,
  GroupsField,
  MultiField,
  NumberField,
  RangeField,
  RichField,
  SwitchField,
  TreeField,
  TreesField,
} from "./kinds.ts";
import { OneTabStop } from "./OneTabStop.tsx";
import { includes, ordered } from "./tree-nodes.ts";
import { TreeSelect } from "./TreeSelect.tsx";
import type { DayRange, FieldValue, Values } from "./values.ts";
import "./other-input.css";

const RichEditor = lazy(() => retrying(() => import("../rich-text/RichEditor.tsx")));
const Files = lazy(() => retrying(() => import("../upload/Files.tsx")));
const Groups = lazy(() => retrying(() => import("./Groups.tsx")));

const TEXTS = texts({
  choose: ["请选择", "Choose"],
  from: ["{{label}}：开始", "{{label}}: from"],
  to: ["{{label}}：结束", "{{label}}: to"],
  until: ["至", "to"],
});

type Of<K extends AnyField, V extends FieldValue> = Omit<InputProps<K>, "value"> & {
  readonly value: V;
};

/** What `valueFor` has made of the field's kind. */
const listIn = (value: FieldValue): readonly string[] => value as readonly string[];

export default function OtherInput(props: InputProps) {
  const { field, value } = props;
  switch (field.input) {
    case "number":
      return <NumberInput {...props} field={field} value={value as number | null} />;
    case "switch":
      return <SwitchInput {...props} field={field} value={value === true} />;
    case "multi":
      return field.look === "tags" ? (
        <TagsInput {...props} field={field} value={listIn(value)} />
      ) : (
        <ChecksInput {...props} field={field} value={listIn(value)} />
      );
    case "tree":
    case "trees":
      return <TreeInput {...props} field={field} value={value} />;
    case "range":
      return <RangeInput {...props} field={field} value={value as DayRange} />;
    case "files":
      return <FilesInput {...props} field={field} value={listIn(value)} />;
    case "rich":
      return <RichInput {...props} field={field} value={String(value)} />;
    case "groups":
      return <GroupsInput {...props} field={field} value={value as readonly Values[]} />;
    default:
      return null;
  }
}

function NumberInput({ field, value, aria, onChange }: Of<NumberField, number | null>) {
  const { min, max, step, disabled = false } = field;
  return (
    <Input
      {...aria}
      type="number"
      inputMode={step === 1 ? "numeric" : "decimal"}
      autoComplete="off"
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      step={step ?? "any"}
      disabled={disabled}
      {...(aria["aria-invalid"] ? { status: "error" as const } : {})}
      // React leaves what is no number in the input, as it was typed
      value={value === null || Number.isNaN(value) ? "" : String(value)}
      onChange={(typed, event) => {
        const unreadable = (event.target as HTMLInputElement).validity.badInput;
        onChange(unreadable ? Number.NaN : typed.trim() === "" ? null : Number(typed));
      }}
    />
  );
}

function SwitchInput({ field, value, aria, onChange }: Of<SwitchField, boolean>) {
  const { "aria-required": _required, "aria-invalid": _invalid, ...named } = aria;
  return (
    <span className="form-switch">
      <Switch {...named} checked={value} disabled={field.disabled === true} onChange={onChange} />
    </span>
  );
}

function ChecksInput({ field, value, values, aria, onChange }: Of<MultiField, readonly string[]>) {
  const options = optionsOf(field, values);
  const { id, "aria-label": label, "aria-describedby": describedBy } = aria;
  return (
    <div
      className="form-checks"
      role="group"
      id={id}
      aria-label={label}
      {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
    >
      {options.map((option) => (
        <Checkbox
          key={option.value}
          checked={value.includes(option.value)}
          disabled={field.disabled === true}
          onChange={(on) =>
            onChange(
              ordered(
                options,
                on ? [...value, option.value] : value.filter((one) => one !== option.value),
              ),
            )
          }
        >
          {option.label}
        </Checkbox>
      ))}
    </div>
  );
}

function TagsInput({ field, value, values, aria, onChange }: Of<MultiField, readonly string[]>) {
  const text = useTexts(TEXTS);
  const options = optionsOf(field, values);
  return (
    <OneTabStop>
      <Select
        {...aria}
        mode="multiple"
        value={[...value]}
        allowClear
        disabled={field.disabled === true}
        placeholder={text("choose")}
        error={aria["aria-invalid"]}
        showSearch
        filterOption={(word: string, option: ReactElement) =>
          includes(String((option.props as { readonly children?: unknown }).children), word)
        }
        options={options.map((option) => ({ ...option }))}
        onChange={(next: string[]) => onChange(ordered(options, next))}
      />
    </OneTabStop>
  );
}

function TreeInput({ field, value, aria, onChange }: Of<TreeField | TreesField, FieldValue>) {
  const text = useTexts(TEXTS);
  const common = {
    aria: { ...aria },
    nodes: field.nodes,
    placeholder: text("choose"),
    allowClear: field.required !== true,
    disabled: field.disabled === true,
    invalid: aria["aria-invalid"],
  };
  return field.input === "trees" ? (
    <TreeSelect {...common} many value={listIn(value)} onChange={onChange} />
  ) : (
    <TreeSelect {...common} many={false} value={String(value)} onChange={onChange} />
  );
}

function RangeInput({ field, value, aria, onChange }: Of<RangeField, DayRange>) {
  const text = useTexts(TEXTS);
  const { id, "aria-label": label, ...marks } = aria;
  const end = (which: "from" | "to") => ({
    value: value[which],
    onChange: (day: string) => onChange({ ...value, [which]: day }),
    input: {
      ...marks,
      id: which === "from" ? id : `${id}-to`,
      "aria-label": text(which, { label }),
    },
    wrong: aria["aria-invalid"],
    disabled: field.disabled === true,
  });
  return (
    <div className="form-range" role="group" aria-label={label}>
      <DateField {...end("from")} />
      <span aria-hidden="true">{text("until")}</span>
      <DateField {...end("to")} />
    </div>
  );
}

function FilesInput({ field, value, aria, onChange }: Of<FileField, readonly string[]>) {
  return (
    <Suspense fallback={<div className="form-files-loading" />}>
      <Files
        label={field.label}
        rules={field.rules}
        value={value}
        onChange={onChange}
        disabled={field.disabled === true}
        describedBy={aria["aria-describedby"]}
        {...(field.upload === undefined ? {} : { upload: field.upload })}
      />
    </Suspense>
  );
}

function RichInput({ value, aria, onChange }: Of<RichField, string>) {
  return (
    <Suspense fallback={<div className="rich-editor-loading" />}>
      <RichEditor
        id={aria.id}
        label={aria["aria-label"]}
        value={value}
        onChange={onChange}
        invalid={aria["aria-invalid"]}
        describedBy={aria["aria-describedby"]}
      />
    </Suspense>
  );
}

function GroupsInput(props: Of<GroupsField, readonly Values[]>) {
  return (
    <Suspense fallback={null}>
      <Groups {...props} />
    </Suspense>
  );
}
