/** Answers the requests that nobody answers, by the table of shared/domain/synthetic-answers. */
import { syntheticAnswerTo } from "../../../shared/domain/synthetic-answers.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import type { Clock, Timer } from "../contracts.ts";

export interface SyntheticAnswers {
  /** Answers the request as a success at its time, unless `settle` comes first. */
  expect(request: {
    readonly op: number;
    readonly tsxId: string;
    readonly body?: { readonly op: number } | undefined;
  }): void;
  /** The real answer. A request that was answered before gets no second one. */
  settle(tsxId: string, result: number): void;
  /** Nothing more is answered. */
  clear(): void;
}

export function createSyntheticAnswers(deps: {
  readonly clock: Pick<Clock, "after">;
  readonly answer: (tsxId: string, result: number) => void;
}): SyntheticAnswers {
  const waiting = new Map<string, Timer>();
  const settle = (tsxId: string, result: number): void => {
    const timer = waiting.get(tsxId);
    if (timer === undefined) return;
    timer.cancel();
    waiting.delete(tsxId);
    deps.answer(tsxId, result);
  };
  return {
    expect(request) {
      const answer = syntheticAnswerTo(request);
      if (answer === null) return;
      const { tsxId } = request;
      waiting.set(
        tsxId,
        deps.clock.after(answer.afterMillis, () => settle(tsxId, RESULT.ok)),
      );
    },
    settle,
    clear() {
      for (const timer of waiting.values()) timer.cancel();
      waiting.clear();
    },
  };
}
