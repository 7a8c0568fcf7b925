/** The label of a dictionary entry, in the colours of its listClass and with the classes of its cssClass (docs/session.md#dictionaries). */
import { CSS_CLASSES, LIST_CLASSES, type ListClass } from "../../shared/domain/dict-classes.ts";
import "./dict-tag.css";

const kindOf = (listClass: string): ListClass =>
  LIST_CLASSES.find((one) => one === listClass) ?? "default";
/** An older entry may hold what is no name of a class. */
const classOf = (cssClass: string): string =>
  cssClass !== "" && CSS_CLASSES.test(cssClass) ? ` ${cssClass}` : "";

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
