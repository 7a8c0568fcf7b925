/** A value of a dictionary as its tag; the value itself where the dictionary lacks it. */
import { type DictEntry, entryOf } from "../state/useDicts.ts";
import { DictTag } from "./DictTag.tsx";

export function DictValue(props: {
  readonly entries: readonly DictEntry[] | undefined;
  readonly value: string;
}) {
  const { entries, value } = props;
  const entry = entryOf(entries, value);
  return entry === undefined ? <>{value}</> : <DictTag {...entry} label={entry.dictLabel} />;
}
