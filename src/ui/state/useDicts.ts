/** Entries of dictionaries, for choices and for showing values. */
import { useEffect, useState } from "react";
import type { PageCallData } from "../../shared/protocol/rest/page-calls.ts";
import { useCore } from "./services.ts";
import { showError } from "./show-message.ts";

export type DictEntry = PageCallData<"dict.datas">[number]["dictDatas"][number];
export type Dicts = Readonly<Record<string, readonly DictEntry[]>>;

/** @param types the dictionaries' types, separated by commas */
export function useDicts(types: string): Dicts {
  const { rest } = useCore().commands;
  const [dicts, setDicts] = useState<Dicts>({});
  useEffect(() => {
    let live = true;
    rest.call({ call: "dict.datas", query: { dictTypes: types } }).then((found) => {
      if (live) setDicts(Object.fromEntries(found.map((d) => [d.dictType, d.dictDatas])));
    }, showError);
    return () => {
      live = false;
    };
  }, [rest, types]);
  return dicts;
}

/** Entries in use, as choices. */
export const choicesOf = (
  entries: readonly DictEntry[] | undefined,
): { value: string; label: string }[] =>
  (entries ?? [])
    .filter(({ status }) => status === "0")
    .map(({ dictValue, dictLabel }) => ({ value: dictValue, label: dictLabel }));

/** The label of a value; the value itself where the dictionary lacks it. */
export const labelOf = (entries: readonly DictEntry[] | undefined, value: string): string =>
  entries?.find(({ dictValue }) => dictValue === value)?.dictLabel ?? value;
