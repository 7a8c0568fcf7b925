/** Each row of the table of problems, and which of two is shown. */
import { describe, expect, it } from "vitest";
import {
  CALL_PROBLEMS,
  type CallProblem,
  type CallProblemFacts,
  callProblemOf,
  worstScores,
} from "./call-problems.ts";

const well: CallProblemFacts = {
  link: "connected",
  offline: false,
  microphone: "on",
  camera: "on",
  noData: { local: false, remote: false },
  picture: { local: "full", remote: "full" },
  quality: { local: 2, remote: 2 },
};

const ROWS: readonly (readonly [CallProblem, Partial<CallProblemFacts>])[] = [
  ["offline", { offline: true }],
  ["restoring", { link: "restarting" }],
  ["unstable", { link: "weak" }],
  ["microphoneDenied", { microphone: "denied" }],
  ["microphoneMissing", { microphone: "missing" }],
  ["microphoneBusy", { microphone: "busy" }],
  ["microphoneFailed", { microphone: "failed" }],
  ["ownSilent", { noData: { local: true, remote: false } }],
  ["peerSilent", { noData: { local: false, remote: true } }],
  ["ownPictureOff", { picture: { local: "off", remote: "full" } }],
  ["peerPictureOff", { picture: { local: "full", remote: "off" } }],
  ["ownPictureSmall", { picture: { local: "small", remote: "full" } }],
  ["peerPictureSmall", { picture: { local: "full", remote: "small" } }],
  ["bothWeak", { quality: { local: 1, remote: 1 } }],
  ["ownWeak", { quality: { local: 1, remote: 2 } }],
  ["peerWeak", { quality: { local: 2, remote: 0 } }],
  ["cameraDenied", { camera: "denied" }],
  ["cameraMissing", { camera: "missing" }],
  ["cameraBusy", { camera: "busy" }],
  ["cameraFailed", { camera: "failed" }],
];

it("A call that is well has no line", () => {
  expect(callProblemOf(well)).toBeNull();
  expect(callProblemOf({ ...well, link: "connecting", microphone: "off", camera: "asking" })).toBe(
    null,
  );
});

describe("a row", () => {
  it.each(ROWS)("%s is what these facts show", (problem, facts) => {
    expect(callProblemOf({ ...well, ...facts })).toBe(problem);
  });

  it("stands in the table for each problem", () => {
    expect(Object.keys(CALL_PROBLEMS)).toEqual(ROWS.map(([problem]) => problem));
  });

  it.each(ROWS)("%s says in both languages what happens and what to do", (problem) => {
    const { text, en } = CALL_PROBLEMS[problem];
    expect(text).toMatch(/请|可/u);
    expect(en.split(/[.;] /u).length).toBeGreaterThan(1);
  });

  it("that is more urgent wins over each later one", () => {
    for (const [index, [problem, facts]] of ROWS.entries()) {
      for (const [, later] of ROWS.slice(index + 1)) {
        const both = { ...well, ...later, ...facts };
        expect(callProblemOf(both)).toBe(problem);
      }
    }
  });
});

it("The worst score of each direction counts, of this call alone", () => {
  const streams = [
    { callId: "c1", direction: "local", quality: 2 },
    { callId: "c1", direction: "local", quality: 1 },
    { callId: "c0", direction: "remote", quality: 0 },
  ] as const;
  expect(worstScores(streams, "c1")).toEqual({ local: 1, remote: 2 });
});
