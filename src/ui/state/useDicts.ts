/** Entries of dictionaries, for choices and for showing values: live, and read once for all tabs (docs/session.md#dictionaries). */
import { useEffect, useState } from "react";
import { AppError } from "../../shared/errors.ts";
import type { PageCallData } from "../../shared/protocol/rest/page-calls.ts";
import { useCore, useSlice } from "./services.ts";
import { showError } from "./show-message.ts";

export type DictEntry = PageCallData<"dict.byType">[number];
export type Dicts = Readonly<Record<string, readonly DictEntry[]>>;

/** @param types the dictionaries' types, separated by commas */
export function useDicts(types: string): Dicts {
  const core = useCore();
  const { supplierId, accountId } = useSlice("session");
  const [dicts, setDicts] = useState<Dicts>({});
  useEffect(() => {
    // One watch a type, so that pages with other types besides share it.
    const watches = types.split(",").map((type) =>
      core.watch({ call: "dict.byType", params: { type } }, (answer) => {
        if (answer.state === "ready") setDicts((now) => ({ ...now, [type]: answer.data }));
        else if (answer.error !== null) showError(AppError.fromWire(answer.error));
      }),
    );
    return () => watches.forEach((watch) => watch.end());
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another person or company begins again
  }, [core, types, supplierId, accountId]);
  return dicts;
}

/** Entries in use, as choices. */
export const choicesOf = (
  entries: readonly DictEntry[] | undefined,
): { value: string; label: string }[] =>
  (entries ?? [])
    .filter(({ status }) => status === "0")
    .map(({ dictValue, dictLabel }) => ({ value: dictValue, label: dictLabel }));

/** The entry of a value; undefined where the dictionary lacks it. */
export const entryOf = (
  entries: readonly DictEntry[] | undefined,
  value: string,
): DictEntry | undefined => entries?.find(({ dictValue }) => dictValue === value);

/** The label of a value; the value itself where the dictionary lacks it. */
export const labelOf = (entries: readonly DictEntry[] | undefined, value: string): string =>
  entryOf(entries, value)?.dictLabel ?? value;
