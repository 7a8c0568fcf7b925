import { expect, test } from "vitest";
import { SYNTHETIC_ANSWERS } from "../../../shared/domain/synthetic-answers.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import { createFakeClock } from "../core.fake.ts";
import { createSyntheticAnswers } from "./synthetic-answers.ts";

function setUp() {
  const clock = createFakeClock();
  const answers: [string, number][] = [];
  const synthetic = createSyntheticAnswers({
    clock,
    answer: (tsxId, result) => void answers.push([tsxId, result]),
  });
  return { clock, answers, synthetic };
}
const relayed = (op: number) => ({ op: OP.relay, tsxId: "t", body: { op } });

const CASES: readonly [string, { op: number; tsxId: string; body?: { op: number } }, number][] = [
  ["a relay (op 1004)", relayed(OP.answer), 3_000],
  ["a relay of an end (op 107)", relayed(OP.terminate), 3_000],
  ["an offer (op 102)", relayed(OP.offer), 100],
  ["candidates (op 105)", relayed(OP.candidates), 100],
  ["a subscribe (op 205)", { op: OP.subscribe, tsxId: "t" }, 50],
];

test.each(CASES)(
  "An unanswered %s is a success at its time and not before: %o, %i ms",
  (_name, request, millis) => {
    const { clock, answers, synthetic } = setUp();
    synthetic.expect(request);
    clock.advance(millis - 1);
    expect(answers).toEqual([]);
    clock.advance(1);
    expect(answers).toEqual([["t", RESULT.ok]]);
    clock.advance(10_000);
    expect(answers).toHaveLength(1);
    expect(clock.pending).toBe(0);
  },
);

test("The table has no other answer, and what needs a real one never gets a synthetic one", () => {
  expect(SYNTHETIC_ANSWERS.map(({ op, afterMillis }) => [op, afterMillis])).toEqual([
    [1004, 3_000],
    [102, 100],
    [105, 100],
    [205, 50],
  ]);
  const { clock, answers, synthetic } = setUp();
  synthetic.expect({ op: OP.ping, tsxId: "t" });
  clock.advance(60_000);
  expect(answers).toEqual([]);
});

test("A real answer that comes first is the only one", () => {
  const { clock, answers, synthetic } = setUp();
  synthetic.expect(relayed(OP.answer));
  clock.advance(2_999);
  synthetic.settle("t", RESULT.otherDevice);
  synthetic.settle("t", RESULT.ok);
  clock.advance(5_000);
  expect(answers).toEqual([["t", -554]]);
});

test("Nothing is answered after the end", () => {
  const { clock, answers, synthetic } = setUp();
  synthetic.expect(relayed(OP.offer));
  synthetic.clear();
  expect(clock.pending).toBe(0);
  clock.advance(5_000);
  expect(answers).toEqual([]);
});
