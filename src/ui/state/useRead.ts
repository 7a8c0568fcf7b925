/** A read of the REST table, live (docs/session.md#live-data). */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Watch } from "../../core-client/contracts.ts";
import type {
  PageCallData,
  PageCallId,
  PageCallInput,
} from "../../shared/protocol/rest/page-calls.ts";
import { useCore, useSlice } from "./services.ts";

const LOADING = { state: "loading", error: null, at: null } as const;

/** @param input null: there is nothing to read yet */
export function useRead<I extends PageCallId>(
  input: PageCallInput<I> | null,
): { readonly answer: Answer<PageCallData<I>>; readonly again: () => void } {
  const core = useCore();
  const { supplierId, accountId } = useSlice("session");
  const wanted = input === null ? null : JSON.stringify([accountId, supplierId, input]);
  const [found, setFound] = useState<{ wanted: string; answer: Answer<PageCallData<I>> } | null>(
    null,
  );
  const watch = useRef<Watch | null>(null);
  useEffect(() => {
    if (wanted === null) return undefined;
    const [, , what] = JSON.parse(wanted) as [unknown, unknown, PageCallInput<I>];
    const mine = core.watch<I>(what, (answer) => setFound({ wanted, answer }));
    watch.current = mine;
    return () => {
      watch.current = null;
      mine.end();
    };
  }, [core, wanted]);
  return {
    answer: found !== null && found.wanted === wanted ? found.answer : LOADING,
    again: useCallback(() => watch.current?.again(), []),
  };
}
