/** The CSS classes of an entry's tag, with the tag as it will look. */
import { Input } from "@arco-design/web-react";
import type { ControlProps } from "../../components/form/kinds.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import "./dict.css";

const TEXTS = texts({
  preview: ["预览", "Preview"],
  sample: ["字典标签", "Label"],
});
const MAX = 100;

export function TagClasses({ values, ...props }: ControlProps) {
  const text = useTexts(TEXTS);
  const { id, label, value, onChange, invalid, disabled, describedBy } = props;
  const textOf = (key: string): string => String(values[key] ?? "").trim();
  return (
    <div className="tag-classes">
      <Input
        id={id}
        aria-label={label}
        aria-invalid={invalid}
        {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
        {...(invalid ? { status: "error" as const } : {})}
        autoComplete="off"
        maxLength={MAX}
        value={value}
        onChange={onChange}
        disabled={disabled}
      />
      <p role="status" aria-label={text("preview")} className="tag-classes-preview">
        <span>{text("preview")}</span>
        <DictTag
          label={textOf("dictLabel") || text("sample")}
          listClass={textOf("listClass")}
          cssClass={value.trim()}
        />
      </p>
    </div>
  );
}
