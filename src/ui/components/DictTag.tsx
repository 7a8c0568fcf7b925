/** The label of a dictionary entry, in the colours of its listClass. */
import "./dict-tag.css";

export const LIST_CLASSES = ["default", "primary", "success", "info", "warning", "danger"] as const;
type ListClass = (typeof LIST_CLASSES)[number];

const kindOf = (listClass: string): ListClass =>
  LIST_CLASSES.find((one) => one === listClass) ?? "default";
/** Allows class names only, because the text comes from the editor of the dictionary. */
const classOf = (cssClass: string): string => (/^[\w -]+$/.test(cssClass) ? ` ${cssClass}` : "");

export interface DictTagProps {
  readonly label: string;
  readonly listClass: string;
  readonly cssClass?: string;
}

export function DictTag({ label, listClass, cssClass = "" }: DictTagProps) {
  return (
    <span className={`dict-tag${classOf(cssClass)}`} data-kind={kindOf(listClass)}>
      {label}
    </span>
  );
}
