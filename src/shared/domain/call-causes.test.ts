/** Each cause from records alone, in the right order, and none in good calls with the noise that every call has. */
import { describe, expect, it } from "vitest";
import { QUALITY_EVENT } from "../protocol/qoe.ts";
import { CALL_CAUSES, causesOf, type CallCause, type FoundCause } from "./call-causes.ts";
import { CALL_CAUSE_TEXTS } from "./call-cause-texts.ts";
import {
  callRecords,
  CONFR,
  type Event,
  type Look,
  START,
  type Where,
} from "./call-records.harness.ts";
import { callScore, directionScores, timelineOf } from "./call-timeline.ts";

type Change = (where: Where) => Partial<Look>;
const found = (change: Change, events: readonly Event[] = [], seconds = 90): FoundCause[] =>
  causesOf(timelineOf(CONFR, callRecords(seconds, change, events))).map((one) => ({
    ...one,
    begin: one.begin - START,
    end: one.end === null ? null : one.end - START,
  }));
const names = (all: readonly FoundCause[]): [CallCause, string | null][] =>
  all.map(({ cause, from }) => [cause, from]);
/** From 30 s to 60 s of the call. */
const during = ({ at }: Where): boolean => at > 30_000 && at <= 60_000;
const BEGIN = 32_000;

/** A round trip above this one: a queue that fills for 6 s and then empties. */
const swinging = (at: number, least: number): number => least + [0, 200, 420][(at / 2000) % 3]!;

interface Case {
  readonly name: string;
  readonly change?: Change;
  readonly events?: readonly Event[];
  readonly expected: readonly [CallCause, string | null];
  /** The other side has the same cause. */
  readonly alsoFrom?: string;
  /** It lasts to the end of the call. */
  readonly lasts?: boolean;
}
const CASES: readonly Case[] = [
  {
    name: "A fifth of what Ann sends is lost",
    change: (at) => (during(at) && at.from === "ann" ? { loss: 0.2 } : {}),
    expected: ["loss", "ann"],
  },
  {
    name: "The other side reports the losses every few seconds alone",
    change: (at) =>
      during(at) && at.from === "ann" && at.side === "ann" && at.at % 6000 === 0
        ? { loss: 0.4 }
        : {},
    expected: ["loss", "ann"],
  },
  {
    name: "Losses that lower the expected bandwidth are losses",
    change: (at) =>
      during(at) && at.from === "bob"
        ? { loss: 0.3, available: at.at > 38_000 ? 90 : 2500, limited: "bandwidth" }
        : {},
    expected: ["loss", "bob"],
  },
  {
    name: "The round trip is 700 ms",
    change: (at) => (during(at) ? { rtt: 700 } : {}),
    expected: ["delay", null],
  },
  {
    name: "A link of 100 kbit/s queues, and loses what its queue does not hold",
    change: (at) =>
      during(at) && at.from === "ann"
        ? {
            available: 90,
            kbps: 80,
            limited: "bandwidth",
            rtt: 900,
            loss: at.at < 40_000 ? 0.25 : 0.05,
          }
        : {},
    expected: ["bandwidth", "ann"],
  },
  {
    name: "A link of 150 kbit/s fills its queue and empties it again",
    change: (at) =>
      during(at) && at.from === "ann"
        ? { available: 130, kbps: 120, limited: "bandwidth", rtt: swinging(at.at, 60) }
        : {},
    expected: ["bandwidth", "ann"],
  },
  {
    name: "A link of 150 kbit/s has a queue that is never empty",
    change: (at) =>
      during(at) ? { available: 130, kbps: 120, rtt: swinging(at.at, 400) } : { rtt: 20 },
    expected: ["bandwidth", "ann"],
    alsoFrom: "bob",
  },
  ...[300, 600].map((delay) => ({
    name: `Each packet needs ${delay} ms more, by which the browser expects little bandwidth for a while`,
    change: ({ at }: Where) =>
      at <= 30_000 || at > 60_000
        ? { rtt: 20 }
        : {
            rtt: 2 * delay + ((at / 2000) % 3) * 30,
            ...(at > 54_000 ? {} : { available: 90, kbps: 80, limited: "bandwidth" as const }),
          },
    expected: ["delay", null] as const,
  })),
  {
    name: "Each packet needs 600 ms more, and one late measure is above all others",
    change: ({ at }) =>
      at > 30_000 ? { rtt: at === 44_000 ? 1900 : 1210, available: 120 } : { rtt: 20 },
    expected: ["delay", null],
    lasts: true,
  },
  {
    name: "Ann's machine has no time left, and its pictures are light",
    change: ({ at, side }) => ({ late: at > 30_000 && at <= 60_000 && side === "ann" ? 420 : 8 }),
    expected: ["cpu", "ann"],
  },
  {
    name: "Ann's machine has so little time that the connection is built again",
    change: ({ at, side }) => ({
      late: at > 30_000 && at <= 60_000 && side === "ann" ? 900 : 8,
      rtcId: at > 34_000 ? "r2" : "r1",
    }),
    expected: ["cpu", "ann"],
  },
  {
    name: "Two in three samples of Bob's machine have late timers",
    change: (at) => ({
      late: during(at) && at.side === "bob" && at.at % 6000 !== 0 ? 260 : 12,
    }),
    expected: ["cpu", "bob"],
  },
  {
    name: "The computer does not encode in time",
    change: (at) => (during(at) && at.from === "ann" ? { limited: "cpu", fps: 7, coding: 95 } : {}),
    expected: ["cpu", "ann"],
  },
  {
    name: "The browser does not say what limits it, and sends a third of the camera's frames",
    change: (at) => (during(at) && at.from === "ann" ? { fps: 6, coding: 80 } : {}),
    expected: ["cpu", "ann"],
  },
  {
    name: "Bob's computer drops half of the frames that come",
    change: (at) =>
      during(at) && at.from === "ann" && at.side === "bob" ? { dropped: 20, fps: 10 } : {},
    expected: ["cpu", "ann"],
  },
  {
    name: "Ann's camera gives no frame any more",
    change: (at) =>
      during(at) && at.from === "ann" && at.kind === "video"
        ? { sourceFps: 0, fps: 0, kbps: 0 }
        : {},
    expected: ["camera", "ann"],
  },
  {
    name: "Bob's camera is unplugged and found again",
    events: [
      [1000, "bob", QUALITY_EVENT.device, "camera:on"],
      [32_000, "bob", QUALITY_EVENT.device, "camera:unplugged"],
      [58_000, "bob", QUALITY_EVENT.device, "camera:asking"],
      [60_000, "bob", QUALITY_EVENT.device, "camera:on"],
    ],
    expected: ["camera", "bob"],
  },
  {
    name: "A key of the headset silences Bob's microphone",
    events: [[32_000, "bob", QUALITY_EVENT.device, "microphone:system-muted"]],
    expected: ["microphone", "bob"],
    lasts: true,
  },
  {
    name: "Ann's microphone gives nothing but zeros",
    change: (at) => (during(at) && at.from === "ann" ? { sounds: false } : {}),
    expected: ["microphone", "ann"],
  },
  {
    name: "Ann's machine gets another address, and everything stands still until another connection carries it",
    change: ({ at }) =>
      at <= 30_000 ? {} : at <= 36_000 ? { kbps: 0 } : { rtcId: "r2", pair: "p9" },
    events: [[32_000, "ann", QUALITY_EVENT.moved]],
    expected: ["address", "ann"],
  },
  {
    name: "The pair of addresses changes within a connection",
    change: ({ at, side }) => (at > 30_000 && side === "bob" ? { pair: "p2" } : {}),
    expected: ["address", "bob"],
  },
  {
    name: "The media go by a relay",
    change: () => ({ route: "relay/srflx/udp" }),
    expected: ["relay", null],
    lasts: true,
  },
  {
    name: "Another tab of Ann takes the call over",
    change: ({ at }) => (at <= 32_000 ? {} : { rtcId: "r2", pair: "p5" }),
    events: [[32_000, "ann", QUALITY_EVENT.takeover]],
    expected: ["takeover", "ann"],
  },
  {
    name: "The server restarts, as both sides notice",
    events: [
      [32_000, "ann", QUALITY_EVENT.serverRestarted],
      [33_000, "bob", QUALITY_EVENT.serverRestarted],
    ],
    expected: ["server", null],
  },
  {
    name: "Nothing of Bob comes, and nothing says why",
    change: (at) => (during(at) && at.from === "bob" ? { kbps: 0 } : {}),
    expected: ["outage", "bob"],
  },
];

describe("a bad call", () => {
  it.each(CASES)(
    "$name: the timeline names it",
    ({ change, events, expected, alsoFrom, lasts }) => {
      const all = found(change ?? (() => ({})), events);
      const also = alsoFrom === undefined ? [] : [[expected[0], alsoFrom]];
      expect(names(all)).toEqual([expected, ...also]);
      const [{ begin, end } = { begin: -1, end: -1 }] = all;
      if (expected[0] !== "relay") {
        expect(begin).toBeGreaterThanOrEqual(BEGIN - 2000);
        expect(begin).toBeLessThanOrEqual(BEGIN + 6000);
      }
      if (lasts === true) expect(end).toBeNull();
      else expect(end).not.toBeNull();
    },
  );
  it("Every cause has a case and words in both languages", () => {
    expect(new Set(CASES.map(({ expected: [cause] }) => cause))).toEqual(new Set(CALL_CAUSES));
    for (const cause of CALL_CAUSES) {
      const { name, what } = CALL_CAUSE_TEXTS[cause];
      for (const [zh, en] of [name, what]) {
        expect(zh).toMatch(/\p{Script=Han}/u);
        expect(en).toMatch(/^[A-Z]/);
      }
    }
  });
  it("Several causes stand in the order in which they began, each with its own time", () => {
    const all = found(
      (at) => ({
        ...(at.at > 20_000 && at.at <= 40_000 && at.from === "ann" ? { loss: 0.2 } : {}),
        ...(at.at > 60_000 && at.at <= 90_000 ? { rtt: 800 } : {}),
        ...(at.at > 110_000 && at.from === "bob" ? { limited: "cpu" as const } : {}),
      }),
      [[50_000, "bob", QUALITY_EVENT.takeover]],
      140,
    );
    expect(names(all)).toEqual([
      ["loss", "ann"],
      ["takeover", "bob"],
      ["delay", null],
      ["cpu", "bob"],
    ]);
    expect(all.map(({ begin }) => Math.round(begin / 1000))).toEqual([22, 50, 62, 112]);
    expect(all.at(-1)?.end).toBeNull();
    expect(Math.abs((all[2]?.end ?? 0) - 92_000)).toBeLessThanOrEqual(2000);
  });
  it("A long path with a narrow network behind it has both causes", () => {
    const all = found(({ at, from }) =>
      at <= 30_000
        ? { rtt: 20 }
        : {
            rtt: swinging(at, 1200),
            ...(from === "ann" ? { available: 130, kbps: 120, limited: "bandwidth" as const } : {}),
          },
    );
    expect(names(all).toSorted()).toEqual([
      ["bandwidth", "ann"],
      ["delay", null],
    ]);
  });
  it("On a path that is long for all of the call, a link that becomes narrow is a cause beside the delay", () => {
    const all = found(
      ({ at, from }) => ({
        rtt: at > 60_000 ? swinging(at, 700) : 700,
        ...(at > 60_000 && from === "bob" ? { available: 110, kbps: 100 } : {}),
      }),
      [],
      120,
    );
    expect(names(all)).toEqual([
      ["delay", null],
      ["bandwidth", "bob"],
    ]);
  });
  it("A figure around the limit is one cause, not one for every other sample", () => {
    const all = found((at) =>
      at.at > 30_000 && at.from === "ann" ? { loss: at.at % 4000 === 0 ? 0.12 : 0.06 } : {},
    );
    expect(names(all)).toEqual([["loss", "ann"]]);
  });
});

/** Numbers by chance, the same in each run. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a good call", () => {
  const quiet: [string, Change, Event[]][] = [
    ["without any noise", () => ({}), []],
    [
      "that begins as every call does: little bandwidth, another pair of addresses",
      ({ at }) => ({
        ...(at <= 8000 ? { available: 150, limited: "bandwidth" as const, fps: 8, kbps: 100 } : {}),
        pair: at <= 6000 ? "p0" : "p1",
      }),
      [
        [500, "ann", QUALITY_EVENT.device, "camera:asking"],
        [900, "ann", QUALITY_EVENT.device, "camera:on"],
      ],
    ],
    [
      "with one bad sample",
      ({ at }) =>
        at === 40_000
          ? { loss: 0.15, rtt: 900, limited: "cpu", freezes: 1, frozen: 400, fps: 6 }
          : {},
      [],
    ],
    ["with late timers in one sample", ({ at }) => ({ late: at === 40_000 ? 3000 : 6 }), []],
    [
      "on a busy machine: late timers in every third sample, and less late ones in all",
      ({ at }) => ({ late: at % 6000 === 0 ? 400 : 90 }),
      [],
    ],
    [
      "whose page and devices take all time in its first ten seconds",
      ({ at }) => ({ late: at <= 10_000 ? 700 : 5 }),
      [],
    ],
    [
      "in which both mute themselves, turn the camera off and say nothing",
      ({ at, kind }) =>
        at > 20_000 && at <= 80_000
          ? { on: false, kbps: 0, fps: 0, sourceFps: 0, sounds: false }
          : { sounds: kind === "audio" && at % 6000 === 0 },
      [
        [20_000, "ann", QUALITY_EVENT.device, "camera:off"],
        [80_000, "ann", QUALITY_EVENT.device, "camera:on"],
      ],
    ],
  ];
  it.each(quiet)("%s has no cause", (_, change, events) => {
    expect(found(change, events, 120)).toEqual([]);
  });
  it("with ordinary noise has none, in twenty calls of five minutes", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = chances(seed);
      const all = found(
        () => ({
          loss: random() < 0.1 ? random() * 0.06 : random() * 0.01,
          rtt: 30 + random() * (random() < 0.05 ? 400 : 120),
          jitter: random() * 40,
          fps: 14 + Math.round(random() * 6),
          available: 400 + random() * 2500,
          limited: random() < 0.15 ? "bandwidth" : random() < 0.05 ? "cpu" : "none",
          freezes: random() < 0.02 ? 1 : 0,
          dropped: Math.round(random() * 3),
          sounds: random() < 0.7,
          late: random() < 0.1 ? 100 + random() * 900 : random() * 60,
        }),
        [],
        300,
      );
      expect(all, `seed ${seed}`).toEqual([]);
    }
  });
});

describe("the scores of a call", () => {
  it("are those of the receivers, by direction, and the call's is that of the worse one", () => {
    const timeline = timelineOf(
      CONFR,
      callRecords(20, ({ from, side }) =>
        from === "ann" ? { loss: side === "ann" ? 0 : 0.1 } : {},
      ),
    );
    const scores = directionScores(timeline);
    expect(scores).toEqual([
      {
        from: "ann",
        sound: expect.closeTo(3.26, 5),
        picture: expect.closeTo(3.26, 5),
        mos: expect.closeTo(3.26, 5),
      },
      {
        from: "bob",
        sound: expect.closeTo(4.26, 5),
        picture: expect.closeTo(4.26, 5),
        mos: expect.closeTo(4.26, 5),
      },
    ]);
    expect(callScore(timeline)).toBeCloseTo(3.26, 5);
    expect(callScore(timelineOf(CONFR, []))).toBeNull();
  });
  it("of records without one are those of the sound alone, by the model; foreign records are left out", () => {
    const old = callRecords(10).map((record) => {
      if (record.kind !== 1) return record;
      const { mos: _mos, on: _on, jitter: _jitter, ...rest } = record;
      return rest;
    });
    const [ann] = directionScores(timelineOf(CONFR, [...old, { type: 1 }, { kind: 7 }]));
    expect(ann).toMatchObject({ from: "ann", picture: null });
    expect(ann?.sound).toBeCloseTo(4.41, 1);
  });
});
