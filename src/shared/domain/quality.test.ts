import { describe, expect, it } from "vitest";
import type { StreamSample } from "../protocol/qoe.ts";
import { monitorStep, resetDirection, startDirection } from "./call-monitor.ts";
import {
  judgeStream,
  ratesOf,
  scoreStep,
  START_SCORE,
  type StreamJudgement,
  type StreamRates,
} from "./quality.ts";

const sample = (over: Partial<StreamSample> = {}): StreamSample => ({
  id: "r1:remote:video",
  rtcId: "r1",
  direction: "remote",
  kind: "video",
  at: 0,
  bytes: 0,
  packets: 0,
  packetsLost: 0,
  rtt: null,
  jitter: null,
  frames: null,
  framesDropped: null,
  fps: null,
  width: null,
  height: null,
  freezeCount: null,
  pliCount: null,
  qpSum: null,
  audioLevel: null,
  concealedSamples: null,
  totalSamples: null,
  ...over,
});

describe("rates of a stream", () => {
  const before = sample({ bytes: 1000, packets: 100, packetsLost: 10, frames: 50, freezeCount: 1 });
  const cases: [string, Partial<StreamSample>, Partial<StreamRates>][] = [
    [
      "bytes, loss and frames are those of the interval",
      { at: 2000, bytes: 251_000, packets: 180, packetsLost: 30, frames: 110, freezeCount: 3 },
      { kbps: 1000, loss: 20, fps: 30, freezes: 2 },
    ],
    [
      "the browser's own fps is preferred",
      { at: 2000, bytes: 1000, frames: 60, fps: 25 },
      { fps: 25 },
    ],
    [
      "without new packets, rate and loss are 0",
      { at: 2000, bytes: 1000, packets: 100, packetsLost: 10 },
      { kbps: 0, loss: 0 },
    ],
    [
      "the loss is never negative, although late packets lower the count of lost ones",
      { at: 2000, bytes: 2000, packets: 110, packetsLost: 5 },
      { loss: 0 },
    ],
    [
      "a new connection has no rates yet",
      { at: 2000, rtcId: "r2", bytes: 9000 },
      { kbps: null, loss: null },
    ],
    ["counters that decreased give no rates", { at: 2000, bytes: 10 }, { kbps: null, loss: null }],
    [
      "two samples of the same time give no rates",
      { at: 0, bytes: 9000 },
      { kbps: null, loss: null },
    ],
  ];
  for (const [name, now, expected] of cases) {
    it(name, () => expect(ratesOf(sample(now), before)).toMatchObject(expected));
  }
  it("rates need two samples", () => {
    expect(ratesOf(sample({ rtt: 30 }), null)).toMatchObject({ kbps: null, loss: null, rtt: 30 });
  });
  it("a sender's lost packets are part of those it sent", () => {
    const sent = sample({
      direction: "local",
      at: 2000,
      bytes: 9000,
      packets: 200,
      packetsLost: 35,
    });
    expect(ratesOf(sent, { ...before, direction: "local" }).loss).toBe(25);
  });
});

describe("the score", () => {
  const good = { kbps: 100, loss: 0, rtt: 20, jitter: 1, fps: 20, freezes: 0 };
  const run = (
    kind: "audio" | "video",
    bad: Partial<StreamRates>,
    seconds: number,
    expected = true,
  ): number => {
    let state = START_SCORE;
    for (let at = 0; at <= seconds * 1000; at += 1000) {
      state = scoreStep(state, kind, { ...good, ...bad, at }, expected);
    }
    return state.score;
  };
  const cases: [string, "audio" | "video", Partial<StreamRates>, number, number][] = [
    ["round trip 500 ms for 8 s", "audio", { rtt: 500 }, 8, 1],
    ["round trip 500 ms for 7 s", "audio", { rtt: 500 }, 7, 2],
    ["round trip 499 ms", "audio", { rtt: 499 }, 20, 2],
    ["audio loss 18 % for 8 s", "audio", { loss: 18 }, 8, 1],
    ["audio loss 17.9 %", "audio", { loss: 17.9 }, 20, 2],
    ["video loss 18 %", "video", { loss: 18 }, 20, 2],
    ["video loss 23 % for 8 s", "video", { loss: 23 }, 8, 1],
    ["no traffic for 5 s", "video", { kbps: 0 }, 5, 0],
    ["no traffic for 4 s", "video", { kbps: 0 }, 4, 2],
    ["unknown rates for 20 s", "video", { kbps: null, loss: null, rtt: null }, 20, 2],
  ];
  for (const [name, kind, bad, seconds, score] of cases) {
    it(`${name}: the score is ${score}`, () => expect(run(kind, bad, seconds)).toBe(score));
  }
  it("a muted stream does not count as disconnected", () =>
    expect(run("audio", { kbps: 0 }, 20, false)).toBe(2));
  it("the score timer restarts after a good sample", () => {
    let state = START_SCORE;
    for (let at = 0; at <= 15_000; at += 1000) {
      state = scoreStep(state, "audio", { ...good, rtt: at === 8000 ? 20 : 900, at }, true);
      if (at < 16_000) expect(state.score).toBe(2);
    }
  });
});

describe("what is known of a stream", () => {
  /** Two seconds of a good picture; the second sample is changed. */
  const judge = (over: Partial<StreamSample>, expected = true): StreamJudgement => {
    const common = { rtt: 20, jitter: 1, fps: 20, width: 640, height: 360, codec: "VP8" } as const;
    const counters = { frames: 0, qpSum: 0, frozenMillis: 0, bufferMillis: 0, bufferedUnits: 0 };
    const first = judgeStream(null, sample({ ...common, ...counters }), expected);
    return judgeStream(
      first,
      sample({
        ...common,
        at: 2000,
        bytes: 200_000,
        packets: 200,
        frames: 40,
        qpSum: 2400,
        frozenMillis: 0,
        bufferMillis: 1600,
        bufferedUnits: 40,
        ...over,
      }),
      expected,
    );
  };
  it("has the rates, the score and the opinion score of the interval", () => {
    const good = judge({});
    expect(good.rates).toMatchObject({ kbps: 800, elapsed: 2000, qp: 60, buffer: 40, frozen: 0 });
    expect(good.score.score).toBe(2);
    expect(good.mos).toBeCloseTo(4.38 - 0.002 * 50, 2);
    expect(judge({ frozenMillis: 1000 }).rates.frozen).toBe(0.5);
    expect(judge({ frozenMillis: 1000 }).mos).toBeCloseTo(4.38 - 0.1 - 2, 2);
  });
  it("judges sound by loss, and what is not expected not at all; nothing at all is 1", () => {
    const sound = judge({ kind: "audio", packets: 180, packetsLost: 20 });
    expect(sound.mos).toBeCloseTo(3.18, 1);
    expect(judge({}, false).mos).toBeNull();
    expect(judge({ bytes: 0, packets: 0 }).mos).toBe(1);
    expect(judgeStream(null, sample({}), true).mos).toBeNull();
  });
});

describe("the call monitor", () => {
  /** Polls every 2 s: "1" data, "0" none, "m" none but muted. Returns the polls that reported and those that saw no data. */
  const watch = (flow: string, state = startDirection()) => {
    const reports: number[] = [];
    const silent: number[] = [];
    [...flow].forEach((poll, index) => {
      const step = monitorStep(state, index * 2000, poll === "1", poll !== "m");
      if (step.report) reports.push(index);
      if (step.noData) silent.push(index);
      state = step.next;
    });
    return { reports, silent };
  };
  it.each([
    ["111", [], []],
    ["1001", [2], [2]],
    ["101", [], []],
    ["1000", [2], [2, 3]],
    ["000", [2], [2]],
    // one report per direction: the flag stays, the timer restarts
    ["10011000", [2], [2, 6, 7]],
    ["1mmmmm", [], []],
    ["1mm00", [4], [4]],
  ])("%s: reported at %j, silent at %j", (flow, reports, silent) => {
    expect(watch(flow)).toEqual({ reports, silent });
  });
  it("after a reset the first report takes 5 s", () => {
    expect(watch("10000", resetDirection()).reports).toEqual([3]);
  });
});
