/** What a command of the core answers, for a dialog that asks when it opens and again after a change. */
import { useCallback, useEffect, useRef, useState } from "react";
import { AppError } from "../../shared/errors.ts";
import { errorText } from "../i18n/index.ts";

export interface Asked<T> {
  /** Null until the first answer. A later failure keeps it. */
  readonly found: T | null;
  /** Why the latest attempt failed, in words for the person. */
  readonly failure: string | null;
  again(): void;
}

/** @param key names what is asked. Another key asks again. An answer to an earlier key is ignored. */
export function useAsked<T>(key: string, ask: () => Promise<T>): Asked<T> {
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  const [found, setFound] = useState<T | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let current = true;
    latest.current().then(
      (answer) => {
        if (!current) return;
        setFound(answer);
        setFailure(null);
      },
      (error: unknown) => {
        if (current) setFailure(AppError.from(error));
      },
    );
    return () => {
      current = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the key names what is asked, attempt counts the retry button
  }, [key, attempt]);
  return {
    found,
    failure: failure && errorText(failure),
    again: useCallback(() => setAttempt((n) => n + 1), []),
  };
}
