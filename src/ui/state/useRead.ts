/** A read of the REST table, live (docs/session.md#live-data). */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Watch } from "../../core-client/contracts.ts";
import type {
  PageCallData,
  PageCallId,
  PageCallInput,
} from "../../shared/protocol/rest/page-calls.ts";
import { type Found, LOADING, shownAnswer, subjectOf, withAnswer } from "./kept-answer.ts";
import { useCore, useSlice } from "./services.ts";

/**
 * @param input null: there is nothing to read yet
 * @param keepsLast for what is read again and again, and for the pages of a list: the answer before stays until the next one, also when
 * the next is for another page or another time
 */
export function useRead<I extends PageCallId>(
  input: PageCallInput<I> | null,
  keepsLast = false,
): {
  readonly answer: Answer<PageCallData<I>>;
  /** A person asks again, and sees at once that it loads. */
  readonly again: () => void;
  /** Asks again; what is shown stays until the answer. Without `keepsLast` as `again`. */
  readonly refresh: () => void;
} {
  const core = useCore();
  const { supplierId, accountId } = useSlice("session");
  const reader = `${accountId ?? ""} ${supplierId ?? ""}`;
  const wanted = input === null ? null : JSON.stringify([reader, input]);
  const subject = input === null ? null : subjectOf(reader, input);
  const [found, setFound] = useState<Found<PageCallData<I>> | null>(null);
  const watch = useRef<Watch | null>(null);
  useEffect(() => {
    if (wanted === null || subject === null) return undefined;
    const [, what] = JSON.parse(wanted) as [string, PageCallInput<I>];
    const opened = core.watch<I>(what, (answer) =>
      setFound((before) => withAnswer(before, { wanted, subject, answer }, keepsLast)),
    );
    watch.current = opened;
    return () => {
      watch.current = null;
      opened.end();
    };
  }, [core, wanted, subject, keepsLast]);
  const answer = shownAnswer(found, { wanted, subject }, keepsLast);
  const refresh = useCallback(() => watch.current?.again(), []);
  const again = useCallback(() => {
    setFound((before) =>
      before?.answer.state === "failed" ? { ...before, answer: LOADING } : before,
    );
    watch.current?.again();
  }, [setFound]);
  return { answer, again, refresh };
}
