/** A read of the REST table, live (docs/session.md#live-data). */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Watch } from "../../core-client/contracts.ts";
import type {
  PageCallData,
  PageCallId,
  PageCallInput,
} from "../../shared/protocol/rest/page-calls.ts";
import { useCore, useSlice } from "./services.ts";

interface Found<I extends PageCallId> {
  /** Who reads, and what. */
  readonly wanted: string;
  /** The person in the company. */
  readonly reader: string;
  readonly answer: Answer<PageCallData<I>>;
}

const LOADING = { state: "loading", error: null, at: null } as const;

/**
 * @param input null: there is nothing to read yet
 * @param keepsLast for pages of a list: the answer before stays until another input of the same person and company has one
 */
export function useRead<I extends PageCallId>(
  input: PageCallInput<I> | null,
  keepsLast = false,
): { readonly answer: Answer<PageCallData<I>>; readonly again: () => void } {
  const core = useCore();
  const { supplierId, accountId } = useSlice("session");
  const reader = `${accountId ?? ""} ${supplierId ?? ""}`;
  const wanted = input === null ? null : JSON.stringify([reader, input]);
  const [found, setFound] = useState<Found<I> | null>(null);
  const watch = useRef<Watch | null>(null);
  useEffect(() => {
    if (wanted === null) return undefined;
    const [by, what] = JSON.parse(wanted) as [string, PageCallInput<I>];
    const opened = core.watch<I>(what, (answer) => setFound({ wanted, reader: by, answer }));
    watch.current = opened;
    return () => {
      watch.current = null;
      opened.end();
    };
  }, [core, wanted]);
  const isWanted = found !== null && found.wanted === wanted;
  const isKept = keepsLast && found?.reader === reader && found.answer.state === "ready";
  return {
    answer: isWanted || isKept ? found.answer : LOADING,
    again: useCallback(() => watch.current?.again(), []),
  };
}
