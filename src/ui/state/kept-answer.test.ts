import { expect, test } from "vitest";
import { AppError } from "../../shared/errors.ts";
import type { Answer } from "../../core-client/contracts.ts";
import { type Found, LOADING, shownAnswer, subjectOf, withAnswer } from "./kept-answer.ts";

const error = new AppError("server.internal").toWire();
const FAILED: Answer<number> = { state: "failed", error, at: null };
const ready = (data: number): Answer<number> => ({ state: "ready", data, error: null, at: 1 });

/** What is shown after these answers; an input is a word, and the subject is its first letter. */
function shown(answers: readonly (readonly [string, Answer<number>])[], keepsLast: boolean) {
  const seen: Answer<number>[] = [];
  let found: Found<number> | null = null;
  for (const [wanted, answer] of answers) {
    const subject = wanted[0]!;
    found = withAnswer(found, { wanted, subject, answer }, keepsLast);
    seen.push(shownAnswer(found, { wanted, subject }, keepsLast));
  }
  return seen.map((one) => (one.state === "ready" ? one.data : one.state));
}

const MINUTES = [
  ["a1", LOADING],
  ["a1", ready(1)],
  ["a2", LOADING],
  ["a2", FAILED],
  ["a3", LOADING],
  ["a3", FAILED],
  ["a4", LOADING],
  ["a4", ready(4)],
] as const;

test("The answer before stays until the next input has one, also when it is a failure", () => {
  expect(shown(MINUTES, true)).toEqual([
    "loading",
    1,
    1,
    "failed",
    "failed",
    "failed",
    "failed",
    4,
  ]);
});

test("Without it every input loads", () => {
  const loads = ["loading", 1, "loading", "failed", "loading", "failed", "loading", 4];
  expect(shown(MINUTES, false)).toEqual(loads);
});

test("A failure stays while it is read again, and an answer about something else is not shown", () => {
  const again = [
    ["a1", FAILED],
    ["a1", LOADING],
    ["b1", LOADING],
  ] as const;
  expect(shown(again, true)).toEqual(["failed", "failed", "loading"]);
  expect(shown(again, false)).toEqual(["failed", "loading", "loading"]);
  const found = { wanted: "a1", subject: "a", answer: ready(1) };
  expect(shownAnswer(found, { wanted: "b1", subject: "b" }, true)).toEqual(LOADING);
  expect(shownAnswer(null, { wanted: null, subject: "a" }, true)).toEqual(LOADING);
});

test("Pages and times have one subject; people, calls, things and other choices have others", () => {
  const chart = { call: "fleet.charts", query: { scope: "all", from: "1", to: "2" } };
  const subjects = [
    subjectOf("a", chart),
    subjectOf("b", chart),
    subjectOf("a", { ...chart, query: { ...chart.query, scope: "company" } }),
    subjectOf("a", { ...chart, call: "fleet.figures" }),
    subjectOf("a", { call: "fleet.core", params: { id: "1" } }),
    subjectOf("a", { call: "fleet.core", params: { id: "2" } }),
  ];
  expect(new Set(subjects).size).toBe(subjects.length);
  const later = { ...chart, query: { scope: "all", from: "2", to: "3", cursor: "x", limit: 20 } };
  expect(subjectOf("a", later)).toBe(subjects[0]);
});
