/** Asks the sources of the search some time after the last key. What belongs to an older text is never shown. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Found, SearchGroup } from "./search-results.ts";
import type { SearchSource } from "./search-sources.ts";

/** ms after the last key before records are searched. */
const DELAY = 200;

interface Answers {
  readonly word: string;
  readonly found: Readonly<Partial<Record<SearchGroup, readonly Found[]>>>;
  readonly failed: number;
  readonly done: number;
}
const NONE: Answers = { word: "", found: {}, failed: 0, done: 0 };

export interface Search {
  readonly found: Answers["found"];
  readonly state: "idle" | "searching" | "done";
  /** Whether a source could not answer. */
  readonly failed: boolean;
  again(): void;
}

/** @param word in lower case, without spaces around it */
export function useSearch(word: string, sources: readonly SearchSource[]): Search {
  const [answers, setAnswers] = useState(NONE);
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(sources);
  useEffect(() => {
    latest.current = sources;
  });
  useEffect(() => {
    if (word === "") return undefined;
    let current = true;
    const timer = setTimeout(() => {
      setAnswers({ ...NONE, word });
      const note = (change: (now: Answers) => Partial<Answers>): void => {
        if (!current) return;
        setAnswers((now) => ({ ...now, ...change(now), done: now.done + 1 }));
      };
      for (const { group, ask } of latest.current) {
        ask(word).then(
          (found) => note((now) => ({ found: { ...now.found, [group]: found } })),
          // The bar at the top explains an outage; the other groups are found all the same.
          () => note((now) => ({ failed: now.failed + 1 })),
        );
      }
    }, DELAY);
    return () => {
      current = false;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt repeats the requests
  }, [word, attempt]);
  const now = answers.word === word ? answers : NONE;
  return {
    found: now.found,
    state:
      word === ""
        ? "idle"
        : now.word === word && now.done === sources.length
          ? "done"
          : "searching",
    failed: now.failed > 0,
    again: useCallback(() => {
      setAnswers(NONE);
      setAttempt((n) => n + 1);
    }, []),
  };
}
