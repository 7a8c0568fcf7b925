/** The answer of one read, live in every tab (docs/session.md#live-data). */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Watch } from "../../core-client/contracts.ts";
import type {
  PageCallData,
  PageCallId,
  PageCallInput,
} from "../../shared/protocol/rest/page-calls.ts";
import { useCore, useSlice } from "./services.ts";

const LOADING = { state: "loading", error: null, at: null } as const;

/**
 * `useQuery({ call: "employees.list", query: { limit: 20 } })`. While a changed input loads, the answer of the former one stays.
 *
 * @returns the answer, and a function that fetches it anew
 */
export function useQuery<I extends PageCallId>(
  input: PageCallInput<I>,
): readonly [Answer<PageCallData<I>>, () => void] {
  const core = useCore();
  const { supplierId, accountId } = useSlice("session");
  const [answer, setAnswer] = useState<Answer<PageCallData<I>>>(LOADING);
  const watch = useRef<Watch | null>(null);
  const key = JSON.stringify(input);
  useEffect(() => {
    const mine = core.watch<I>(JSON.parse(key) as PageCallInput<I>, (next) =>
      setAnswer((now) => (next.state === "loading" ? now : next)),
    );
    watch.current = mine;
    return () => mine.end();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another person or company begins anew
  }, [core, key, supplierId, accountId]);
  return [answer, useCallback(() => watch.current?.again(), [])];
}
