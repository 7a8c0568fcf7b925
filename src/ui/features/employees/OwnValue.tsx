/** What an employee has in one of the company's own fields; an entry of a dictionary as its tag. */
import { DictValue } from "../../components/DictValue.tsx";
import type { Dicts } from "../../state/useDicts.ts";
import { type OwnField, ownText, type OwnValues } from "../fields/own-fields.ts";

export function OwnValue(props: {
  readonly field: OwnField;
  readonly values: OwnValues;
  readonly dicts: Dicts;
}) {
  const { field, values, dicts } = props;
  const text = ownText(field, values, (_, value) => value);
  if (text === null || field.dictType === null) return text;
  return <DictValue entries={dicts[field.dictType]} value={text} />;
}
